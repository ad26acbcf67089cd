/** The record of an email that pacing holds. */
import type { EmailHead, PacingOptions } from '../../core/emails/email.ts';
import { type HeldEmail, heldPosition } from '../../core/pacing/held.ts';
import type { PacedMessage } from '../../core/pacing/rule.ts';
import type { QueueMessage } from '../../core/queue-messages.ts';

/** @param message sent when the email leaves */
export function heldEmail(
  head: EmailHead,
  paced: PacedMessage,
  { count }: Pick<PacingOptions, 'count'>,
  message: QueueMessage,
): HeldEmail {
  return {
    ...paced,
    emailId: head.id,
    position: heldPosition(head),
    subject: head.subject,
    fromName: head.from.name,
    shownTo: head.to.map(({ address }) => address),
    isCounted: count,
    message,
  };
}
