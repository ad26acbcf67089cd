/** The search operators of `q` that are modelled ("Refine searches in Gmail", Gmail Help; "List Gmail messages", Gmail API). */
import type { GmailMessage } from './gmail-mailbox.ts';

type Filter = (message: GmailMessage) => boolean;

const folders: Readonly<Record<string, string>> = {
  inbox: 'INBOX',
  sent: 'SENT',
  drafts: 'DRAFT',
  chats: 'CHAT',
};

/** Spam and trash are in no list. null: the query has an operator that is not modelled. */
export function gmailQuery(q: string): Filter | null {
  const filters = q
    .split(' ')
    .filter((term) => term !== '')
    .map(filterOf);
  const known = filters.filter((filter) => filter !== null);
  return known.length < filters.length ? null : (message) => known.every((matches) => matches(message));
}

/** `in:FOLDER`, `-in:FOLDER`, `after:SECONDS` since 1970. */
function filterOf(term: string): Filter | null {
  const [, minus, folder = ''] = /^(-?)in:(\w+)$/.exec(term) ?? [];
  const label = folders[folder];
  if (label !== undefined) return ({ labelIds }) => labelIds.includes(label) !== (minus === '-');
  const [, seconds] = /^after:(\d{5,})$/.exec(term) ?? [];
  return seconds === undefined ? null : ({ internalDate }) => internalDate >= Number(seconds) * 1000;
}
