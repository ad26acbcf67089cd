/** The two pages of mailboxes. */
import type { MailboxProvider } from 'parley-client';
import { TabLinks } from '../../kit/tabs.tsx';

export const providerNames: Readonly<Record<MailboxProvider, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
};

export function MailboxTabs() {
  return (
    <TabLinks
      label="Mailboxes"
      links={[
        { to: '/mailboxes', label: 'Mailboxes', end: true },
        { to: '/mailboxes/apps', label: 'OAuth apps' },
      ]}
    />
  );
}
