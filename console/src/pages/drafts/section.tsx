/** The pages below `/console/drafts`. */
import { Route, Routes } from 'react-router';
import '../conversations/conversations.css';
import './drafts.css';
import { DraftList } from './draft-list.tsx';
import { DraftPage } from './draft-page.tsx';

export function Drafts() {
  return (
    <Routes>
      <Route index element={<DraftList />} />
      <Route path=":draftId" element={<DraftPage />} />
    </Routes>
  );
}
