/** The two pages of inbound rules. */
import { TabLinks } from '../../kit/tabs.tsx';

export function InboundTabs() {
  return (
    <TabLinks
      label="Inbound rules"
      links={[
        { to: '/inbound-rules', label: 'Rules', end: true },
        { to: '/inbound-rules/blocked', label: 'Blocked mail' },
      ]}
    />
  );
}
