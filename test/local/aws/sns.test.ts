import { describe, expect, it, onTestFinished } from 'vitest';
import { createSns, type SubscriptionOptions } from '../../../lib/local/aws/sns.ts';
import { createSqs } from '../../../lib/local/aws/sqs.ts';
import { createClock } from '../../../lib/local/clock.ts';

const topic = 'arn:aws:sns:us-east-1:111111111111:mail';

function topicWith(options: SubscriptionOptions) {
  const clock = createClock();
  onTestFinished(clock.close);
  const sqs = createSqs({ clock, account: '111111111111', region: 'eu-central-1' });
  const queue = sqs.createQueue({ name: 'inbox', fifo: false, visibilitySeconds: 30, retentionSeconds: 60 });
  const sns = createSns({ sqs, clock });
  sns.createTopic(topic);
  sns.subscribe(topic, queue.arn, options);
  return { sns, sqs, bodies: () => queue.messages().map(({ body }) => body) };
}

describe('an SNS topic', () => {
  it('delivers raw messages unchanged', () => {
    const { sns, bodies } = topicWith({ raw: true });
    sns.publish(topic, '{"eventType":"Bounce"}');
    expect(bodies()).toEqual(['{"eventType":"Bounce"}']);
  });

  it('wraps other messages in its envelope', () => {
    const { sns, bodies } = topicWith({ raw: false });
    sns.publish(topic, 'hello');
    expect(bodies().map((body) => JSON.parse(body))).toMatchObject([
      { Type: 'Notification', TopicArn: topic, Message: 'hello', Timestamp: expect.stringMatching(/Z$/) },
    ]);
  });

  it.each([
    ['a value', { eventType: ['Bounce', 'Complaint'] }, true],
    ['another value', { eventType: ['Delivery'] }, false],
    ['a prefix', { eventType: [{ prefix: 'Bou' }] }, true],
    ['a nested value', { mail: { source: ['a@b.test'] } }, true],
    ['anything but the value', { eventType: [{ 'anything-but': ['Bounce'] }] }, false],
    ['what must not be there', { mail: [{ exists: false }] }, false],
    ['one of a list', { tags: ['x'] }, true],
  ])('filters by %s in the body', (_what, filterPolicy, isDelivered) => {
    const { sns, bodies } = topicWith({ raw: true, filterPolicy });
    sns.publish(
      topic,
      JSON.stringify({ eventType: 'Bounce', mail: { source: 'a@b.test' }, tags: ['w', 'x'] }),
    );
    expect(bodies()).toHaveLength(isDelivered ? 1 : 0);
  });

  it('sends undeliverable messages to the dead-letter queue and throws without one', () => {
    const { sns, bodies } = topicWith({ raw: true });
    const missing = 'arn:aws:sqs:eu-central-1:111111111111:missing';
    sns.subscribe(topic, missing, { raw: true, redriveArn: 'arn:aws:sqs:eu-central-1:111111111111:inbox' });
    sns.publish(topic, 'a');
    expect(bodies()).toEqual(['a', 'a']);
    sns.subscribe(topic, missing, { raw: true });
    expect(() => sns.publish(topic, 'b')).toThrow('does not exist');
  });

  it('rejects messages over 256 KB and unknown topics', () => {
    const { sns } = topicWith({ raw: true });
    expect(() => sns.publish(topic, 'a'.repeat(262_145))).toThrow('too long');
    expect(() => sns.publish('arn:other', 'a')).toThrow('does not exist');
  });
});
