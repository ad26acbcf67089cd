/** The search operators of `q` that are modelled ("Refine searches in Gmail", Gmail Help; "List Gmail messages", Gmail API). */
import type { GmailMessage } from './gmail-mailbox.ts';

type Filter = (message: GmailMessage) => boolean;

const folders: Readonly<Record<string, string>> = {
  inbox: 'INBOX',
  sent: 'SENT',
  drafts: 'DRAFT',
  draft: 'DRAFT',
  spam: 'SPAM',
  trash: 'TRASH',
  chats: 'CHAT',
};

export interface GmailQuery {
  readonly matches: Filter;
  /** Whether spam and trash are asked for. */
  readonly namesSpamOrTrash: boolean;
}

/** null: the query has an operator that is not modelled. */
export function gmailQuery(q: string): GmailQuery | null {
  const terms = q.match(/-?[a-z0-9]+:(?:"[^"]*"|\S+)|\S+/gi) ?? [];
  const filters = terms.map(filterOf);
  const known = filters.filter((filter) => filter !== null);
  if (known.length < filters.length) return null;
  return {
    matches: (message) => known.every((matches) => matches(message)),
    namesSpamOrTrash: terms.some((term) => /^in:(?:spam|trash|anywhere)$/i.test(term)),
  };
}

function filterOf(term: string): Filter | null {
  const [, minus, operator = '', quoted = ''] = /^(-?)([a-z0-9]+):(.+)$/i.exec(term) ?? [];
  const value = quoted.replace(/^"|"$/g, '');
  const filter = operatorFilter(operator.toLowerCase(), value);
  if (filter === null || minus !== '-') return filter;
  return (message) => !filter(message);
}

function operatorFilter(operator: string, value: string): Filter | null {
  switch (operator) {
    case 'in': {
      if (value === 'anywhere') return () => true;
      const label = folders[value.toLowerCase()];
      return label === undefined ? null : ({ labelIds }) => labelIds.includes(label);
    }
    case 'after': {
      const at = timeOf(value);
      return at === null ? null : ({ internalDate }) => internalDate >= at;
    }
    case 'before': {
      const at = timeOf(value);
      return at === null ? null : ({ internalDate }) => internalDate < at;
    }
    case 'rfc822msgid': {
      const id = value.replace(/^<|>$/g, '');
      return ({ facts }) => facts.messageId === `<${id}>`;
    }
    case 'from':
      return ({ facts }) => facts.from.includes(value.toLowerCase());
    case 'to':
      return ({ facts }) => facts.recipients.includes(value.toLowerCase());
    case 'subject':
      return ({ facts }) => facts.subject.toLowerCase().includes(value.toLowerCase());
    default:
      return null;
  }
}

/** Seconds since 1970, or a date (`2026/11/22`), taken as midnight in UTC. */
function timeOf(value: string): number | null {
  if (/^\d{5,}$/.test(value)) return Number(value) * 1000;
  const [, year, month, day] = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value) ?? [];
  return year ? Date.UTC(Number(year), Number(month) - 1, Number(day)) : null;
}
