/** The two pages of pacing. */
import { NavLink } from 'react-router';

export function PacingTabs() {
  return (
    <nav className="tabs" aria-label="Pacing">
      <NavLink to="/pacing" end className="tab">
        Rules
      </NavLink>
      <NavLink to="/pacing/waiting" className="tab">
        What waits
      </NavLink>
    </nav>
  );
}
