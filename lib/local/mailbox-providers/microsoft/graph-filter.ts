/** The `$filter` and `$orderby` expressions that are modelled ("List messages"; "Use the $filter query parameter"). */
import type { GraphMessage } from './graph-mailbox.ts';

export interface GraphFilter {
  /** The properties in the order in which they are named. */
  readonly properties: readonly string[];
  readonly matches: (message: GraphMessage) => boolean;
}

type Test = (message: GraphMessage) => boolean;

/** Terms joined by `and`; null: the expression is not modelled. */
export function graphFilter(text: string): GraphFilter | null {
  const terms = text
    .trim()
    .split(/\s+and\s+(?=[\w/]+\s+(?:eq|ne|ge|gt|le|lt)\s)/i)
    .map(termOf);
  const known = terms.filter((term) => term !== null);
  if (known.length < terms.length) return null;
  return {
    properties: known.map(({ property }) => property),
    matches: (message) => known.every(({ test }) => test(message)),
  };
}

function termOf(text: string): { readonly property: string; readonly test: Test } | null {
  const [, property = '', operator = '', value = ''] =
    /^([\w/]+)\s+(eq|ne|ge|gt|le|lt)\s+(.+)$/.exec(text.trim()) ?? [];
  const test =
    property === 'receivedDateTime' ? timeTest(operator, value) : valueTest(property, operator, value);
  return test && { property, test };
}

function timeTest(operator: string, value: string): Test | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,7})?)?Z$/.test(value)) return null;
  const at = Date.parse(value);
  // Outlook compares the exact time, although it returns whole seconds.
  switch (operator) {
    case 'ge':
      return ({ receivedAt }) => receivedAt >= at;
    case 'gt':
      return ({ receivedAt }) => receivedAt > at;
    case 'le':
      return ({ receivedAt }) => receivedAt <= at;
    case 'lt':
      return ({ receivedAt }) => receivedAt < at;
    default:
      return null;
  }
}

const values: Readonly<Record<string, (message: GraphMessage) => string>> = {
  internetMessageId: ({ facts }) => facts.messageId ?? '',
  conversationId: ({ conversationId }) => conversationId,
  subject: ({ facts }) => facts.subject,
  'from/emailAddress/address': ({ facts }) => facts.from[0] ?? '',
  isDraft: ({ isDraft }) => String(isDraft),
  isRead: ({ isRead }) => String(isRead),
};

function valueTest(property: string, operator: string, text: string): Test | null {
  const read = values[property];
  const [, quoted] = /^'((?:[^']|'')*)'$/.exec(text) ?? [];
  const value = quoted?.replaceAll("''", "'") ?? (/^(true|false)$/.test(text) ? text : null);
  if (!read || value === null || (operator !== 'eq' && operator !== 'ne')) return null;
  return (message) => (read(message) === value) === (operator === 'eq');
}
