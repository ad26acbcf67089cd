/** Mail of a Microsoft mailbox by Microsoft Graph, version 1.0 ("Use the Outlook mail REST API"). */
import * as z from 'zod';
import type { ProviderMail } from '../../../core/mailboxes/provider.ts';
import { messageBounds } from '../http.ts';
import { orNull, parsedAnswer, timestamp } from '../parsed-answer.ts';
import { graphChanges } from './changes.ts';
import { isLeftOut, isSentItems } from './folders.ts';
import { graphCalls, immutableIds, messagePath, provider } from './graph-calls.ts';
import { graphSending } from './sending.ts';
import { graphSubscriptions } from './subscriptions.ts';

const messageFields = z.object({
  id: z.string(),
  conversationId: z.string(),
  parentFolderId: z.string(),
  isDraft: z.boolean(),
  receivedDateTime: timestamp,
});

/** The mail half of the provider. @param base of Microsoft Graph, without version or final slash */
export function graphAt(base: string): ProviderMail {
  const calls = graphCalls(base);
  return {
    ...graphChanges(calls),
    ...graphSending(calls),
    ...graphSubscriptions(calls),
    async fetchMessage(accessToken, id) {
      const select = 'id,conversationId,parentFolderId,isDraft,receivedDateTime';
      const answer = await orNull(calls.get(accessToken, `${messagePath(id)}?$select=${select}`));
      if (answer === null) return null;
      const message = parsedAnswer(provider, messageFields, answer);
      const { parentFolderId: folderId } = message;
      const folder = (name: string) => orNull(calls.get(accessToken, `mailFolders/${name}?$select=id`));
      if (message.isDraft || (await isLeftOut(folder, folderId))) return null;
      const raw = await orNull(
        calls.call({
          method: 'GET',
          path: `me/${messagePath(id)}/$value`,
          accessToken,
          headers: { prefer: immutableIds },
          bounds: messageBounds,
        }),
      );
      return (
        raw && {
          id: message.id,
          threadId: message.conversationId,
          raw,
          receivedAt: message.receivedDateTime,
          isSent: await isSentItems(folder, folderId),
        }
      );
    },
  };
}
