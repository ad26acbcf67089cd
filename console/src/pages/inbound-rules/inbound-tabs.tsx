/** The two pages of inbound rules. */
import { NavLink } from 'react-router';

export function InboundTabs() {
  return (
    <nav className="tabs" aria-label="Inbound rules">
      <NavLink to="/inbound-rules" end className="tab">
        Rules
      </NavLink>
      <NavLink to="/inbound-rules/blocked" className="tab">
        Blocked mail
      </NavLink>
    </nav>
  );
}
