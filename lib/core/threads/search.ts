/** The `query` parameter of lists: literal, case-insensitive, all words (docs/concepts/pagination.md#search). */

import type { Address } from '../../mail/addresses/addresses.ts';
import type { EmailHead } from '../emails/email.ts';
import { mailboxesOf, type Thread } from './thread.ts';

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

/** A predicate for emails whose subject, addresses or display names contain every word. */
export function emailMatcher(query: string): (head: EmailHead) => boolean {
  const matches = matcher(query);
  return (head) => matches([head.subject, ...namesOf([head.from, ...head.to, ...head.others])]);
}

/** A predicate for threads whose subject, mailboxes or participants contain every word. */
export function threadMatcher(query: string): (thread: Thread) => boolean {
  const matches = matcher(query);
  return (thread) => matches([thread.subject, ...mailboxesOf(thread), ...namesOf(thread.participants)]);
}
