/** Mail of a Google mailbox by the Gmail API, version 1 ("REST Resource: users.messages" and others, Gmail API reference). */
import * as z from 'zod';
import type { ProviderMail, PushSubscription } from '../../../core/mailboxes/provider.ts';
import { messageBounds } from '../http.ts';
import { milliseconds, orNull, parsedAnswer } from '../parsed-answer.ts';
import { gmailChanges } from './changes.ts';
import { failures, gmailCalls, leftOut, messagePath, messageRef, provider } from './gmail-calls.ts';
import { gmailSending } from './sending.ts';

/**
 * What error codes of a watch mean. A mailbox has one push client for each project ("Only one user push notification client
 * allowed per developer"), so another topic is refused until the watch of the first one ends.
 */
const watchFailures: typeof failures = { ...failures, failedPrecondition: 'refused' };

const rawMessage = messageRef.extend({
  threadId: z.string(),
  internalDate: milliseconds,
  raw: z.string(),
});
const watch = z.object({ expiration: milliseconds });

/** The mail half of the provider. @param base of the Gmail API, without a final slash */
export function gmailAt(base: string): ProviderMail {
  const calls = gmailCalls(base);
  const { get, post } = calls;
  return {
    ...gmailChanges(calls),
    ...gmailSending(calls),

    async fetchMessage(accessToken, id) {
      const answer = await orNull(get(accessToken, messagePath(id), { format: 'raw' }, messageBounds));
      if (answer === null) return null;
      const message = parsedAnswer(provider, rawMessage, answer);
      if (message.labelIds.some((label) => leftOut.includes(label))) return null;
      return {
        id: message.id,
        threadId: message.threadId,
        raw: Buffer.from(message.raw, 'base64url'),
        receivedAt: message.internalDate,
        isSent: message.labelIds.includes('SENT'),
      };
    },

    async subscribe(accessToken, { pubsubTopic }) {
      if (pubsubTopic === null) return null;
      const answer = await post(
        accessToken,
        'watch',
        { topicName: pubsubTopic, labelIds: ['DRAFT', 'SPAM', 'TRASH'], labelFilterBehavior: 'exclude' },
        watchFailures,
      );
      return { id: null, expiresAt: parsedAnswer(provider, watch, answer).expiration };
    },

    async unsubscribe(accessToken, _current: PushSubscription) {
      await orNull(post(accessToken, 'stop', {}));
    },
  };
}
