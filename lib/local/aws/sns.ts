/** SNS topics in process: what is published goes to the subscribed queues, raw or in SNS's envelope. */
import { randomUUID } from 'node:crypto';
import type { LocalClock } from './service.ts';
import type { Sqs } from './sqs.ts';

export interface SubscriptionOptions {
  /** Raw: the queue gets the message alone. */
  readonly raw: boolean;
  /** Filters on the message body (`FilterPolicyScope: MessageBody`): names or nested names to accepted values. */
  readonly filterPolicy?: FilterPolicy;
  /** Queue for what cannot be delivered. Without one, a queue that is not there is an error. */
  readonly redriveArn?: string;
}

export interface FilterPolicy {
  readonly [name: string]: readonly FilterValue[] | FilterPolicy;
}
type FilterValue =
  | string
  | number
  | boolean
  | null
  | { readonly prefix: string }
  | { readonly exists: boolean }
  | { readonly 'anything-but': readonly (string | number)[] };

export interface Sns {
  createTopic(arn: string): void;
  subscribe(topicArn: string, queueArn: string, options: SubscriptionOptions): void;
  /** @throws Error for a topic that does not exist or a message over 256 KB */
  publish(topicArn: string, message: string): void;
}

const messageBytesMax = 262_144;

interface Subscription extends SubscriptionOptions {
  readonly queueArn: string;
}

export function createSns({ sqs, clock }: { sqs: Pick<Sqs, 'send'>; clock: LocalClock }): Sns {
  const topics = new Map<string, Subscription[]>();

  function subscriptions(topicArn: string): Subscription[] {
    const found = topics.get(topicArn);
    if (!found) throw new Error(`SNS: topic ${topicArn} does not exist`);
    return found;
  }

  function deliver(subscription: Subscription, body: string): void {
    try {
      sqs.send(subscription.queueArn, { body, senderId: 'sns' });
    } catch (error) {
      if (!subscription.redriveArn) throw error;
      sqs.send(subscription.redriveArn, { body, senderId: 'sns' });
    }
  }

  return {
    createTopic(arn) {
      if (!topics.has(arn)) topics.set(arn, []);
    },
    subscribe: (topicArn, queueArn, options) => void subscriptions(topicArn).push({ queueArn, ...options }),
    publish(topicArn, message) {
      const targets = subscriptions(topicArn);
      if (Buffer.byteLength(message) > messageBytesMax)
        throw new Error(`SNS: message too long for ${topicArn}`);
      const id = randomUUID();
      for (const target of targets) {
        if (target.filterPolicy && !passes(target.filterPolicy, message)) continue;
        deliver(target, target.raw ? message : envelope(topicArn, id, message, clock.now()));
      }
    },
  };
}

/** The signature is missing its point here: nothing outside this process can publish. */
function envelope(topicArn: string, id: string, message: string, atMs: number): string {
  return JSON.stringify({
    Type: 'Notification',
    MessageId: id,
    TopicArn: topicArn,
    Message: message,
    Timestamp: new Date(atMs).toISOString(),
    SignatureVersion: '1',
    Signature: 'local',
    SigningCertURL: 'local',
    UnsubscribeURL: 'local',
  });
}

function passes(policy: FilterPolicy, message: string): boolean {
  try {
    return accepts(policy, JSON.parse(message));
  } catch (error) {
    // SNS lets nothing but JSON through a filter on the body.
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function accepts(policy: FilterPolicy, value: unknown): boolean {
  const fields: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  return Object.entries(policy).every(([name, rule]) => {
    const field = fields[name];
    if (!isValues(rule)) return accepts(rule, field);
    const values = Array.isArray(field) ? field : [field];
    return rule.some((wanted) => values.some((one) => matches(wanted, one)));
  });
}

function isValues(rule: readonly FilterValue[] | FilterPolicy): rule is readonly FilterValue[] {
  return Array.isArray(rule);
}

function matches(wanted: FilterValue, value: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if ('prefix' in wanted) return typeof value === 'string' && value.startsWith(wanted.prefix);
  if ('exists' in wanted) return (value !== undefined) === wanted.exists;
  if ('anything-but' in wanted) {
    return value !== undefined && !wanted['anything-but'].some((excluded) => excluded === value);
  }
  throw new Error(`SNS: the local cloud does not know the filter ${JSON.stringify(wanted)}`);
}
