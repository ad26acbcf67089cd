/** The pages below `/console/mailboxes`. */
import { Route, Routes } from 'react-router';
import { MailboxList } from './mailbox-list.tsx';
import { OauthAppList } from './oauth-app-list.tsx';

export function Mailboxes() {
  return (
    <Routes>
      <Route index element={<MailboxList />} />
      <Route path="apps" element={<OauthAppList />} />
    </Routes>
  );
}
