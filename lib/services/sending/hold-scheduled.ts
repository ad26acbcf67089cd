/** Pacing of a scheduled email at its time (docs/concepts/pacing.md#scheduled-emails). */
import type { FullEmail } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { heldPosition } from '../../core/pacing/held.ts';
import { defaultPacing } from '../../core/pacing/rule.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { holdEmail, reportLeft } from '../../storage/pacing/held-emails.ts';
import type { Write } from '../../storage/table/transactions.ts';
import { heldEmail } from '../pacing/held-email.ts';
import { paceMailMessage } from '../pacing/pace-mail-message.ts';
import { sendMailMessage } from './submission-messages.ts';

/** The part of the promotion that leaves the email to the pacer, which finds out whether a rule matches. */
export interface ScheduledHold {
  /** Whether the pacer sends the email on; else it goes on now. */
  readonly isHeld: boolean;
  readonly writes: readonly Write[];
  readonly messages: readonly OutboxMessage[];
}

/** @param recipients of its envelope */
export function holdScheduled(
  workspaceId: WorkspaceId,
  { head, content }: Pick<FullEmail, 'head' | 'content'>,
  recipients: readonly string[],
): ScheduledHold {
  const { skip, count } = content.pacing ?? defaultPacing;
  const message = { spaceId: head.spaceId, from: head.from.address, to: recipients };
  const messages = [{ message: paceMailMessage(workspaceId) }];
  if (!skip) {
    const send = sendMailMessage(workspaceId, head.id, null);
    const writes = holdEmail(workspaceId, heldEmail(head, message, { count }, send), []);
    return { isHeld: true, writes, messages };
  }
  if (!count) return { isHeld: false, writes: [], messages: [] };
  const left = { message, wasHeld: false, isCounted: true };
  return { isHeld: false, writes: [reportLeft(workspaceId, heldPosition(head), left)], messages };
}
