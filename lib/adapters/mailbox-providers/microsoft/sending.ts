/** Mail that a Microsoft mailbox sends. */
import * as z from 'zod';
import { ProviderError, type ProviderMail } from '../../../core/mailboxes/provider.ts';
import { messageBounds } from '../http.ts';
import { parsedAnswer } from '../parsed-answer.ts';
import { type GraphCalls, provider } from './graph-calls.ts';

const sentMessages = z.object({
  value: z.array(z.object({ id: z.string(), conversationId: z.string(), isDraft: z.boolean() })),
});

export function graphSending({
  call,
  get,
}: Pick<GraphCalls, 'call' | 'get'>): Pick<ProviderMail, 'send' | 'findSent'> {
  return {
    /**
     * In one call, which needs no permission to change mail. It answers nothing: the copy in Sent Items tells the ids.
     * Exchange sends MIME "more or less intact", with our Message-ID and References ("Overview of the Microsoft Graph send
     * mail process"), from which it derives the conversation.
     */
    async send(accessToken, raw) {
      await call({
        method: 'POST',
        path: 'me/sendMail',
        accessToken,
        body: { contentType: 'text/plain', content: raw.toString('base64') },
        bounds: { ...messageBounds, bytesMax: 100_000 },
      });
      return { id: null, threadId: null };
    },

    async findSent(accessToken, messageId) {
      const filter = new URLSearchParams({
        $filter: `internetMessageId eq '${messageId.replaceAll("'", "''")}'`,
        $select: 'id,conversationId,isDraft',
      });
      const answer = await get(accessToken, `messages?${filter}`);
      const { value } = parsedAnswer(provider, sentMessages, answer);
      const sent = value.find(({ isDraft }) => !isDraft);
      if (sent) return { id: sent.id, threadId: sent.conversationId };
      // Exchange keeps it as a draft until its transport has taken it.
      if (value.length > 0) throw new ProviderError('unknown', 'Microsoft is still sending the message.');
      return null;
    },
  };
}
