/** What is new in a Google mailbox: its history, and lists of its messages. */
import * as z from 'zod';
import type { Changes, ProviderMail } from '../../../core/mailboxes/provider.ts';
import { parsedAnswer, parsedCursor } from '../parsed-answer.ts';
import { type GmailCalls, leftOut, listPage, messageRef, provider } from './gmail-calls.ts';

/** Of a page; the most that the API allows. */
const pageSize = 500;

const profile = z.object({ historyId: z.string() });
const historyPage = z.object({
  history: z
    .array(
      z.object({
        messagesAdded: z.array(z.object({ message: messageRef })).default([]),
        labelsRemoved: z
          .array(z.object({ message: messageRef, labelIds: z.array(z.string()).default([]) }))
          .default([]),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
  historyId: z.string(),
});

/** A position: a history id, and the page after it while a round goes on. */
const cursorSchema = z.strictObject({ historyId: z.string(), page: z.string().nullable() });

export function gmailChanges({
  get,
}: Pick<GmailCalls, 'get'>): Pick<ProviderMail, 'currentCursor' | 'changesSince' | 'listSince'> {
  return {
    async currentCursor(accessToken) {
      const { historyId } = parsedAnswer(provider, profile, await get(accessToken, 'profile'));
      return JSON.stringify({ historyId, page: null });
    },

    async changesSince(accessToken, cursor) {
      const { historyId, page } = parsedCursor(provider, cursorSchema, cursor);
      const found = parsedAnswer(
        provider,
        historyPage,
        await get(accessToken, 'history', {
          startHistoryId: historyId,
          // A message that is taken out of spam or trash has been received as well.
          historyTypes: ['messageAdded', 'labelRemoved'],
          maxResults: pageSize,
          ...(page !== null && { pageToken: page }),
        }),
      );
      return changesOf(historyId, found);
    },

    async listSince(accessToken, sinceMs, page) {
      const found = parsedAnswer(
        provider,
        listPage,
        await get(accessToken, 'messages', {
          // Seconds since 1970 are taken for a time, dates for midnight in the zone of the server ("List Gmail messages").
          q: `after:${Math.floor(sinceMs / 1000)} -in:drafts -in:chats`,
          maxResults: pageSize,
          ...(page !== null && { pageToken: page }),
        }),
      );
      return { found: found.messages.map(({ id }) => ({ id })), nextPage: found.nextPageToken ?? null };
    },
  };
}

/** A page of history records; a round of several pages ends at the history id of its last one. */
function changesOf(startHistoryId: string, found: z.output<typeof historyPage>): Changes {
  const added = found.history.flatMap(({ messagesAdded, labelsRemoved }) => [
    ...messagesAdded.map(({ message }) => message),
    ...labelsRemoved
      .filter(({ labelIds }) => labelIds.some((label) => label === 'SPAM' || label === 'TRASH'))
      .map(({ message }) => message),
  ]);
  const kept = added.filter(({ labelIds }) => !labelIds.some((label) => leftOut.includes(label)));
  const page = found.nextPageToken ?? null;
  const historyId = page === null ? found.historyId : startHistoryId;
  return {
    added: [...new Set(kept.map(({ id }) => id))].map((id) => ({ id })),
    cursor: JSON.stringify({ historyId, page }),
    isLast: page === null,
  };
}
