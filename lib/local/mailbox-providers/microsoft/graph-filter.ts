/** The `$filter` expressions that are modelled ("List messages"; "Use the $filter query parameter"). */
import type { GraphMessage } from './graph-mailbox.ts';

export interface GraphFilter {
  readonly property: 'receivedDateTime' | 'internetMessageId';
  readonly matches: (message: GraphMessage) => boolean;
}

/** null: the expression is not modelled. */
export function graphFilter(text: string): GraphFilter | null {
  const [, time] = /^receivedDateTime ge (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z)$/.exec(text) ?? [];
  if (time !== undefined) {
    const at = Date.parse(time);
    // Outlook compares the exact time, although it returns whole seconds.
    return { property: 'receivedDateTime', matches: ({ receivedAt }) => receivedAt >= at };
  }
  const [, quoted] = /^internetMessageId eq '((?:[^']|'')*)'$/.exec(text) ?? [];
  if (quoted === undefined) return null;
  const id = quoted.replaceAll("''", "'");
  return { property: 'internetMessageId', matches: ({ facts }) => facts.messageId === id };
}
