/** The pages below `/console/pacing`. */
import { Route, Routes } from 'react-router';
import './pacing.css';
import { RuleList } from './rule-list.tsx';
import { EditRule, NewRule } from './rule-page.tsx';
import { Waiting } from './waiting.tsx';

export function Pacing() {
  return (
    <Routes>
      <Route index element={<RuleList />} />
      <Route path="waiting" element={<Waiting />} />
      <Route path="rules/new" element={<NewRule />} />
      <Route path="rules/:ruleId" element={<EditRule />} />
    </Routes>
  );
}
