/** The pages of settings. */
import { TabLinks } from '../../kit/tabs.tsx';

const links = [
  { to: '/settings/usage', label: 'Usage' },
  { to: '/settings/limits', label: 'Limits' },
  { to: '/settings/keys', label: 'API keys' },
  { to: '/settings/members', label: 'Members' },
  { to: '/settings/you', label: 'You' },
] as const;

export function SettingsTabs() {
  return <TabLinks label="Settings" links={links} />;
}
