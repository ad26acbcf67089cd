/** The two pages of pacing. */
import { TabLinks } from '../../kit/tabs.tsx';

export function PacingTabs() {
  return (
    <TabLinks
      label="Pacing"
      links={[
        { to: '/pacing', label: 'Rules', end: true },
        { to: '/pacing/waiting', label: 'What waits' },
      ]}
    />
  );
}
