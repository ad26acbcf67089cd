/** SNS topics: delivers published messages to subscribed queues, raw. */
import { type ServiceCaller, snsSending, usingTopicKey } from '../service-principals.ts';
import { AwsError } from './service.ts';
import type { Sqs } from './sqs.ts';

export interface SubscriptionOptions {
  /** Dead-letter queue of the subscription. Without one, a failed delivery throws. */
  readonly redriveArn?: string;
}

export interface Sns {
  /** @param kmsKeyArn key of server-side encryption; null: none */
  createTopic(arn: string, kmsKeyArn?: string | null): void;
  subscribe(topicArn: string, queueArn: string, options?: SubscriptionOptions): void;
  /** Subscribes an address, which gets no mail. Not confirmed, as in SNS, until `confirmEmail`. */
  subscribeEmail(topicArn: string, address: string): void;
  confirmEmail(topicArn: string, address: string): void;
  /** The subscriptions of a topic. @throws AwsError `NotFound` */
  subscriptionsOf(topicArn: string): readonly SubscriptionEntry[];
  /**
   * Publishes a message of an AWS service.
   *
   * @throws AwsError `AuthorizationError`, `KMSAccessDenied` when a policy denies it
   * @throws Error for an unknown topic or a message over 256 KB
   */
  publish(topicArn: string, message: string, caller: ServiceCaller): void;
  /** The error of a `publish` under the policies of topic and key; null: allowed. */
  publishError(topicArn: string, caller: ServiceCaller): AwsError | null;
}

/** An entry of ListSubscriptionsByTopic. */
export interface SubscriptionEntry {
  readonly protocol: 'sqs' | 'email';
  readonly endpoint: string;
  readonly isConfirmed: boolean;
}

const messageBytesMax = 262_144;

interface Subscription extends SubscriptionOptions {
  readonly queueArn: string;
}

interface Topic {
  readonly kmsKeyArn: string | null;
  readonly subscriptions: Subscription[];
  /** Addresses, and whether each is confirmed. */
  readonly emails: Map<string, boolean>;
}

export function createSns(options: {
  sqs: Pick<Sqs, 'send'>;
  /** Whether a resource-based policy allows a request of a service. */
  serviceMay: (caller: ServiceCaller, action: string, resource: string) => boolean;
  /** Whether the next delivery arrives twice; default: never. */
  duplicates?: () => boolean;
  /** Called with each message that SNS drops because a policy denies its delivery. */
  onDropped: (text: string) => void;
}): Sns {
  const { sqs, serviceMay } = options;
  const topics = new Map<string, Topic>();

  function topicAt(topicArn: string): Topic {
    const found = topics.get(topicArn);
    if (!found) throw new Error(`SNS: topic ${topicArn} does not exist`);
    return found;
  }

  /** A denied delivery is a client-side error: SNS does not retry it (SNS developer guide, "Amazon SNS message delivery retries"). */
  function deliver(topicArn: string, { queueArn, redriveArn }: Subscription, body: string): void {
    const caller = snsSending(topicArn);
    const denied = new Error(`the policy of ${queueArn} denies sqs:SendMessage to ${caller.service}`);
    try {
      if (!serviceMay(caller, 'sqs:SendMessage', queueArn)) throw denied;
      sqs.send(queueArn, { body, senderId: 'sns' });
    } catch (error) {
      if (redriveArn && serviceMay(caller, 'sqs:SendMessage', redriveArn)) {
        sqs.send(redriveArn, { body, senderId: 'sns' });
      } else if (error === denied)
        options.onDropped(`SNS dropped a message of ${topicArn}: ${denied.message}`);
      else throw error;
    }
  }

  function publishError(topicArn: string, caller: ServiceCaller): AwsError | null {
    if (!serviceMay(caller, 'sns:Publish', topicArn)) {
      return new AwsError(
        'AuthorizationError',
        `${caller.service} is not authorized to perform: SNS:Publish on resource: ${topicArn}`,
        403,
      );
    }
    const { kmsKeyArn } = topicAt(topicArn);
    if (kmsKeyArn === null) return null;
    const isAllowed = ['kms:GenerateDataKey', 'kms:Decrypt'].every((action) =>
      serviceMay(usingTopicKey(caller), action, kmsKeyArn),
    );
    return isAllowed
      ? null
      : new AwsError('KMSAccessDenied', `${caller.service} may not use the key ${kmsKeyArn} of ${topicArn}.`);
  }

  return {
    createTopic(arn, kmsKeyArn = null) {
      if (!topics.has(arn)) topics.set(arn, { kmsKeyArn, subscriptions: [], emails: new Map() });
    },
    subscribe: (topicArn, queueArn, subscription) =>
      void topicAt(topicArn).subscriptions.push({ queueArn, ...subscription }),
    subscribeEmail: (topicArn, address) => void topicAt(topicArn).emails.set(address, false),
    confirmEmail: (topicArn, address) => void topicAt(topicArn).emails.set(address, true),
    subscriptionsOf: (topicArn) => {
      const topic = topics.get(topicArn);
      if (!topic) throw new AwsError('NotFound', 'Topic does not exist', 404);
      return subscribersOf(topic);
    },
    publishError,
    publish(topicArn, message, caller) {
      const { subscriptions } = topicAt(topicArn);
      const error = publishError(topicArn, caller);
      if (error) throw error;
      if (Buffer.byteLength(message) > messageBytesMax)
        throw new Error(`SNS: message too long for ${topicArn}`);
      for (const target of subscriptions) {
        const copies = options.duplicates?.() ? 2 : 1;
        for (let copy = 0; copy < copies; copy++) deliver(topicArn, target, message);
      }
    },
  };
}

function subscribersOf({ subscriptions, emails }: Topic) {
  return [
    ...subscriptions.map(({ queueArn }) => ({
      protocol: 'sqs' as const,
      endpoint: queueArn,
      isConfirmed: true,
    })),
    ...[...emails].map(([endpoint, isConfirmed]) => ({ protocol: 'email' as const, endpoint, isConfirmed })),
  ];
}
