/** Push notifications of a Microsoft mailbox. */
import * as z from 'zod';
import type { ProviderMail } from '../../../core/mailboxes/provider.ts';
import { now } from '../../clock.ts';
import { orNull, parsedAnswer, timestamp } from '../parsed-answer.ts';
import { type GraphCalls, provider } from './graph-calls.ts';

/** The most is just under seven days ("subscription resource type", subscription lifetime of Outlook messages). */
const subscriptionMs = 6 * 86_400_000;

const subscription = z.object({ id: z.string(), expirationDateTime: timestamp });

const subscriptionPath = (id: string): string => `subscriptions/${encodeURIComponent(id)}`;

export function graphSubscriptions({
  call,
  callForJson,
}: Pick<GraphCalls, 'call' | 'callForJson'>): Pick<ProviderMail, 'subscribe' | 'unsubscribe'> {
  return {
    async subscribe(accessToken, _client, current, { url, secret }) {
      const expirationDateTime = new Date(now() + subscriptionMs).toISOString();
      const renewed =
        current?.id != null &&
        (await orNull(
          callForJson({
            method: 'PATCH',
            path: subscriptionPath(current.id),
            accessToken,
            body: { expirationDateTime },
          }),
        ));
      const answer =
        renewed ||
        (await callForJson({
          method: 'POST',
          path: 'subscriptions',
          accessToken,
          body: {
            changeType: 'created',
            notificationUrl: url,
            lifecycleNotificationUrl: url,
            resource: 'me/messages',
            expirationDateTime,
            clientState: secret,
          },
        }));
      const { id, expirationDateTime: until } = parsedAnswer(provider, subscription, answer);
      return { id, expiresAt: until };
    },

    async unsubscribe(accessToken, { id }) {
      if (id === null) return;
      await orNull(call({ method: 'DELETE', path: subscriptionPath(id), accessToken }));
    },
  };
}
