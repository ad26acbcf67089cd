/** The `query` of lists: literal, case-blind, every word must occur (contract, section 3). */
import type { EmailHead } from './email.ts';
import type { Address } from './mail/addresses.ts';
import type { Thread } from './thread.ts';

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** Whether every word of `query` occurs in one of `fields`. */
function matcher(query: string): (fields: readonly string[]) => boolean {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return (fields) => {
    const text = fold(fields.join('\n'));
    return words.every((word) => text.includes(word));
  };
}

const namesOf = (addresses: readonly Address[]): string[] =>
  addresses.flatMap(({ name, address }) => (name ? [name, address] : [address]));

/** Emails whose subject, addresses or display names hold every word. */
export function emailMatcher(query: string): (head: EmailHead) => boolean {
  const matches = matcher(query);
  return (head) => matches([head.subject, ...namesOf([head.from, ...head.to, ...head.others])]);
}

/** Threads whose subject, mailbox or participants hold every word. */
export function threadMatcher(query: string): (thread: Thread) => boolean {
  const matches = matcher(query);
  return (thread) => matches([thread.subject, thread.mailbox, ...namesOf(thread.participants)]);
}
