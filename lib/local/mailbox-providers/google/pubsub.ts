/** Topics and push subscriptions of Pub/Sub ("Push subscriptions", "Authentication for push subscriptions", Pub/Sub). */
import type { LocalClock } from '../../aws/service.ts';
import { createPushes, type Pushes } from '../pushes.ts';
import type { RandomText } from '../random-text.ts';
import { signJwt } from '../signing-key.ts';

export interface PushSubscription {
  /** `projects/P/subscriptions/S`. */
  readonly name: string;
  readonly topic: string;
  readonly pushEndpoint: string;
  readonly serviceAccount: string;
  /** Default: the endpoint. */
  readonly audience: string;
}

export interface PubSub {
  readonly pushes: Pushes;
  hasTopic(topic: string): boolean;
  createTopic(topic: string): void;
  /** Creates a push subscription and its topic, or replaces the one of that name. */
  subscribe(subscription: PushSubscription): void;
  subscriptions(): readonly PushSubscription[];
  /** @param account for tests: the mailbox that the message is about */
  publish(topic: string, data: string, account: string): void;
}

export interface PubSubOptions {
  readonly clock: Pick<LocalClock, 'now' | 'at'>;
  readonly text: RandomText;
  /** Of the tokens. */
  readonly issuer: () => string;
  readonly onProgress: () => void;
}

/** `projects/PROJECT/topics/TOPIC`. */
export const topicForm = /^projects\/[a-z][a-z0-9.:-]{1,60}\/topics\/[A-Za-z][\w.~+%-]{2,254}$/;

/** Status codes that acknowledge a message ("Push subscriptions"). */
const acknowledging: ReadonlySet<number> = new Set([102, 200, 201, 202, 204]);
/** The exponential backoff of a subscription's retry policy, with its default bounds ("Handle message failures"). */
const backoffSeconds = { min: 10, max: 600 };
/** `sub` of the tokens. */
const serviceAccountId = '100000000000000000001';
/** Then the message goes to the dead-letter topic, which is not modelled; 5 to 100, here as many as take an hour. */
const attemptsMax = 12;

export function createPubSub({ clock, text, issuer, onProgress }: PubSubOptions): PubSub {
  const topics = new Set<string>();
  const subscriptions = new Map<string, PushSubscription>();
  const pushes = createPushes(
    clock,
    {
      isAcknowledged: (status) => acknowledging.has(status),
      retryMs: (attempts) =>
        attempts >= attemptsMax
          ? null
          : 1000 * Math.min(backoffSeconds.max, backoffSeconds.min * 2 ** (attempts - 1)),
    },
    onProgress,
  );
  /** "Authentication for push subscriptions": the claims of the token. */
  const authorization = async ({ serviceAccount, audience }: PushSubscription) => {
    const iat = Math.floor(clock.now() / 1000);
    const token = await signJwt({
      iss: issuer(),
      aud: audience,
      azp: serviceAccountId,
      sub: serviceAccountId,
      email: serviceAccount,
      email_verified: true,
      iat,
      exp: iat + 3600,
    });
    return { authorization: `Bearer ${token}` };
  };

  return {
    pushes,
    hasTopic: (topic) => topics.has(topic),
    createTopic: (topic) => topics.add(topic),
    subscribe: (subscription) => {
      topics.add(subscription.topic);
      subscriptions.set(subscription.name, subscription);
    },
    subscriptions: () => [...subscriptions.values()],
    publish: (topic, data, account) => {
      const messageId = text.digits(16);
      const publishTime = new Date(clock.now()).toISOString();
      const message = {
        data: Buffer.from(data).toString('base64'),
        messageId,
        message_id: messageId,
        publishTime,
        publish_time: publishTime,
      };
      for (const subscription of subscriptions.values()) {
        if (subscription.topic !== topic) continue;
        pushes.send({
          url: subscription.pushEndpoint,
          body: JSON.stringify({ message, subscription: subscription.name }),
          headers: () => authorization(subscription),
          account,
        });
      }
    },
  };
}
