/** The pages below `/console/inbound-rules`. */
import { Route, Routes } from 'react-router';
import '../conversations/conversations.css';
import { Blocked } from './blocked.tsx';
import { RuleList } from './rule-list.tsx';
import { EditRule, NewRule } from './rule-page.tsx';

export function InboundRules() {
  return (
    <Routes>
      <Route index element={<RuleList />} />
      <Route path="blocked" element={<Blocked />} />
      <Route path="new" element={<NewRule />} />
      <Route path=":ruleId" element={<EditRule />} />
    </Routes>
  );
}
