/** Words of the pages about mail: people, states, reasons. */
import type { Email, EmailEvent, FullEmail } from 'parley-client';
import type { Tone } from '../../kit/badge.tsx';
import { markedLine } from '../../kit/hidden-characters.ts';

export const subjectOf = (subject: string): string => markedLine(subject) || '(no subject)';

export const nameOf = ({ from }: Pick<Email, 'from'>): string =>
  markedLine(from.name ?? '') || markedLine(from.address);

/** "anna, ben": the addresses of a field. */
export const listOf = (addresses: readonly string[]): string => markedLine(addresses.join(', '));

/** "anna, ben and 3 more": the people of a thread without its mailbox. */
export function peopleOf(participants: readonly string[], mailbox: string): string {
  const others = participants.filter((address) => address.toLowerCase() !== mailbox.toLowerCase());
  const shown = (others.length > 0 ? others : participants).slice(0, 2);
  const more = others.length - shown.length;
  return `${listOf(shown)}${more > 0 ? ` and ${more} more` : ''}`;
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
  const to = recipients.length > 0 ? listOf(recipients) : 'the recipient';
  const why = detail ? `: ${markedLine(detail)}` : '.';
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
