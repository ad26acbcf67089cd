/** SNS topics: delivers published messages to subscribed queues, raw or in SNS's JSON envelope. */
import { randomUUID } from 'node:crypto';
import type { LocalClock } from './service.ts';
import type { Sqs } from './sqs.ts';

export interface SubscriptionOptions {
  /** Raw message delivery: without the JSON envelope. */
  readonly raw: boolean;
  /** Filter policy on the message body (`FilterPolicyScope: MessageBody`). */
  readonly filterPolicy?: FilterPolicy;
  /** Dead-letter queue of the subscription. Without one, a failed delivery throws. */
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
        if (target.filterPolicy && !passesFilter(target.filterPolicy, message)) continue;
        deliver(target, target.raw ? message : envelope(topicArn, id, message, clock.now()));
      }
    },
  };
}

/** SNS's JSON envelope. Not signed: nothing outside this process can publish. */
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

function passesFilter(policy: FilterPolicy, message: string): boolean {
  try {
    return matchesPolicy(policy, JSON.parse(message));
  } catch (error) {
    // A filter on the body rejects bodies that are not JSON.
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function matchesPolicy(policy: FilterPolicy, value: unknown): boolean {
  const fields: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  return Object.entries(policy).every(([name, rule]) => {
    const field = fields[name];
    if (!isValues(rule)) return matchesPolicy(rule, field);
    const values = Array.isArray(field) ? field : [field];
    return rule.some((wanted) => values.some((one) => matchesValue(wanted, one)));
  });
}

function isValues(rule: readonly FilterValue[] | FilterPolicy): rule is readonly FilterValue[] {
  return Array.isArray(rule);
}

function matchesValue(wanted: FilterValue, value: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if ('prefix' in wanted) return typeof value === 'string' && value.startsWith(wanted.prefix);
  if ('exists' in wanted) return (value !== undefined) === wanted.exists;
  if ('anything-but' in wanted) {
    return value !== undefined && !wanted['anything-but'].some((excluded) => excluded === value);
  }
  throw new Error(`SNS: unsupported filter ${JSON.stringify(wanted)}`);
}
