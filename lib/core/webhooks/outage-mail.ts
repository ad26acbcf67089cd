/** The mail that tells members about an endpoint that nothing gets through to (docs/concepts/webhooks.md#outage-mail). */
import type { OutgoingMessage } from '../mail/compose.ts';
import type { Member } from '../workspace.ts';

export interface Outage {
  readonly brand: string;
  /** Sender. */
  readonly from: string;
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

/** The mail to one member. @param messageId with angle brackets @param atMs its date; Unix milliseconds */
export function outageMail(outage: Outage, to: string, messageId: string, atMs: number): OutgoingMessage {
  const { brand, from, workspace, url, failingSince } = outage;
  const { host, origin, pathname } = new URL(url);
  return {
    from: { name: brand, address: from },
    to: [{ name: null, address: to }],
    cc: [],
    replyTo: [],
    subject: `Webhooks to ${host} are failing`,
    html: null,
    text: [
      `No webhook to ${origin}${pathname} has succeeded since ${new Date(failingSince).toISOString()}.`,
      '',
      `Workspace: ${workspace}`,
      '',
      'An event that cannot be delivered within 24 hours is given up. The list of deliveries of the endpoint shows the',
      'answers of the receiver. Once the receiver works, deliveries that are not given up follow by themselves, and the',
      'others can be requested again.',
      '',
      'You will not get another mail about this outage.',
      '',
    ].join('\n'),
    messageId,
    inReplyTo: null,
    references: [],
    date: atMs,
    // RFC 3834, section 5: automatic replies are not wanted.
    headers: [{ name: 'Auto-Submitted', value: 'auto-generated' }],
    attachments: [],
  };
}
