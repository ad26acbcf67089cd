/** The two pages of mailboxes. */
import type { MailboxProvider } from 'parley-client';
import { NavLink } from 'react-router';

export const providerNames: Readonly<Record<MailboxProvider, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
};

export function MailboxTabs() {
  return (
    <nav className="tabs" aria-label="Mailboxes">
      <NavLink to="/mailboxes" end className="tab">
        Mailboxes
      </NavLink>
      <NavLink to="/mailboxes/apps" className="tab">
        OAuth apps
      </NavLink>
    </nav>
  );
}
