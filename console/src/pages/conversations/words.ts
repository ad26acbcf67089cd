/** Words of the pages about mail: people, states, reasons. */
import type { Email, EmailEvent, FullEmail } from 'parley-client';
import type { Tone } from '../../kit/badge.tsx';

/** Characters that change the order of text or are not seen, so that a name cannot pass for another one (Unicode, Bidi_Control, zero width). */
const unseen =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** A text of a stranger on one line. */
export const plain = (text: string): string => text.replace(unseen, '').replace(/\s+/g, ' ').trim();

export const subjectOf = (subject: string): string => plain(subject) || '(no subject)';

export const nameOf = ({ from }: Pick<Email, 'from'>): string => plain(from.name ?? '') || from.address;

/** "anna, ben and 3 more": the people of a thread without its mailbox. */
export function peopleOf(participants: readonly string[], mailbox: string): string {
  const others = participants.filter((address) => address.toLowerCase() !== mailbox.toLowerCase());
  const shown = (others.length > 0 ? others : participants).slice(0, 2);
  const more = others.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const statusTone: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  sent: 'neutral',
  received: 'neutral',
  queued: 'neutral',
  sending: 'neutral',
  scheduled: 'accent',
  draft: 'accent',
  canceled: 'neutral',
  bounced: 'bad',
  complained: 'bad',
  failed: 'bad',
};

export const eventTone: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  bounced: 'bad',
  complained: 'bad',
  rejected: 'bad',
  failed: 'bad',
  delayed: 'warn',
  suppressed: 'warn',
  unsubscribed: 'warn',
};

const troubles: Readonly<Record<string, (to: string, why: string) => string>> = {
  bounced: (to, why) => `The mail server of ${to} refused the message${why}`,
  complained: (to, why) => `${to} reported the message as spam${why}`,
  rejected: (to, why) => `The provider did not take the message for ${to}${why}`,
  failed: (to, why) => `The message could not be sent to ${to}${why}`,
  suppressed: (to, why) => `${to} got nothing, because the address is on a suppression list${why}`,
  delayed: (to, why) => `The mail server of ${to} does not answer yet; sending is tried again${why}`,
};

/** Why a recipient did not get the message, as a sentence; null for an event that is no trouble. */
export function troubleOf({ type, recipients, detail }: EmailEvent): string | null {
  const to = recipients.length > 0 ? recipients.join(', ') : 'the recipient';
  const why = detail ? `: ${plain(detail)}` : '.';
  return troubles[type]?.(to, why) ?? null;
}

export const isUnsent = ({ status }: Pick<Email, 'status'>): boolean =>
  status === 'queued' || status === 'sending' || status === 'scheduled';

/** Addresses of a field in which people write a list. */
export const addressesIn = (text: string): string[] =>
  text
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter(Boolean);

export function fileSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What the author wrote, without quotes; the whole text where it is all quoted. */
export function writtenText({ segments, stripped_text, text }: FullEmail): string {
  const written = segments.filter(({ kind }) => kind === 'written').map((segment) => segment.text);
  return written.join('\n').trim() || stripped_text || text || '';
}
