/** The notice about a workspace whose sending was suspended (docs/concepts/sending-limits.md#suspension). */
import type { Suspension } from '../sending/sending-guard.ts';
import type { Member } from '../workspaces/workspace.ts';
import type { Notice } from './notice.ts';

/** Members who are told: owners and admins. They cannot opt out, since nothing is sent until somebody acts. */
export function suspensionRecipients(members: readonly Member[]): string[] {
  return members.filter(({ role }) => role === 'owner' || role === 'admin').map(({ email }) => email);
}

const causes: Readonly<Record<Suspension['reason'], string>> = {
  operator: 'The operator of the service has suspended it.',
  bounces: 'Too many of the addresses that it sent to in the last 24 hours do not exist.',
  complaints: 'Too many recipients of the last 24 hours reported its mail as spam.',
  reputation: 'Amazon SES has paused it because of its reputation.',
};

/** @param workspace its name */
export function suspensionNotice(workspace: string, { reason, at }: Suspension): Notice {
  return {
    id: `suspension.${at}`,
    subject: `Sending of ${workspace} is suspended`,
    lines: [
      `The workspace ${workspace} sends no mail since ${new Date(at).toISOString()}.`,
      causes[reason],
      '',
      'Mail that was accepted before waits. New sends, replies and forwards are refused with the code',
      'workspace_suspended. Received mail and webhooks are not affected.',
      '',
      'Find out where the addresses come from, and whether an API key has leaked. Then ask the operator of the service',
      'to resume the workspace.',
    ],
  };
}
