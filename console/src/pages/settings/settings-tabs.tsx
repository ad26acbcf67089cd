/** The pages of settings. */
import { NavLink } from 'react-router';

const tabs = [
  { path: 'usage', label: 'Usage' },
  { path: 'limits', label: 'Limits' },
  { path: 'keys', label: 'API keys' },
  { path: 'members', label: 'Members' },
  { path: 'you', label: 'You' },
] as const;

export function SettingsTabs() {
  return (
    <nav className="tabs" aria-label="Settings">
      {tabs.map(({ path, label }) => (
        <NavLink key={path} to={`/settings/${path}`} className="tab">
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
