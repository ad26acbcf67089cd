/** The notice about an endpoint that nothing gets through to (docs/concepts/webhooks.md#outage-mail). */
import type { EndpointId } from '../ids.ts';
import type { Member } from '../workspaces/workspace.ts';
import type { Notice } from './notice.ts';

export interface Outage {
  readonly endpointId: EndpointId;
  /** Name of the workspace. */
  readonly workspace: string;
  readonly url: string;
  /** Unix milliseconds. */
  readonly failingSince: number;
}

/** Members who are told: owners and admins who have not opted out. */
export function outageRecipients(members: readonly Member[]): string[] {
  return members
    .filter(({ role, outageMail }) => outageMail && (role === 'owner' || role === 'admin'))
    .map(({ email }) => email);
}

export function outageNotice({ endpointId, workspace, url, failingSince }: Outage): Notice {
  const { host, origin, pathname } = new URL(url);
  return {
    id: `outage.${endpointId}.${failingSince}`,
    subject: `Webhooks to ${host} are failing`,
    lines: [
      `No webhook to ${origin}${pathname} has succeeded since ${new Date(failingSince).toISOString()}.`,
      '',
      `Workspace: ${workspace}`,
      '',
      'An event that cannot be delivered within 24 hours is given up. The list of deliveries of the endpoint shows the',
      'answers of the receiver. Once the receiver works, deliveries that are not given up follow by themselves, and the',
      'others can be requested again.',
      '',
      'You will not get another mail about this outage.',
    ],
  };
}
