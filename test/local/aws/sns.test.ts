import { describe, expect, it, onTestFinished } from 'vitest';
import { createSns } from '../../../lib/local/aws/sns.ts';
import { createSqs } from '../../../lib/local/aws/sqs.ts';
import { createClock } from '../../../lib/local/clock.ts';
import { type ServiceCaller, sesActing } from '../../../lib/local/service-principals.ts';

const topic = 'arn:aws:sns:us-east-1:111111111111:mail';

const ses = sesActing('111111111111', 'arn:aws:ses:us-east-1:111111111111:configuration-set/mail');

function topicWith(
  serviceMay: (caller: ServiceCaller, action: string, resource: string) => boolean = () => true,
  kmsKeyArn: string | null = null,
) {
  const clock = createClock();
  onTestFinished(clock.close);
  const sqs = createSqs({ clock, account: '111111111111', region: 'eu-central-1' });
  const queue = sqs.createQueue({ name: 'inbox', fifo: false, visibilitySeconds: 30, retentionSeconds: 60 });
  const dropped: string[] = [];
  const sns = createSns({ sqs, serviceMay, onDropped: (text) => dropped.push(text) });
  sns.createTopic(topic, kmsKeyArn);
  sns.subscribe(topic, queue.arn);
  return { sns, sqs, dropped, bodies: () => queue.messages().map(({ body }) => body) };
}

describe('an SNS topic', () => {
  it('delivers raw messages unchanged', () => {
    const { sns, bodies } = topicWith();
    sns.publish(topic, '{"eventType":"Bounce"}', ses);
    expect(bodies()).toEqual(['{"eventType":"Bounce"}']);
  });

  it('sends undeliverable messages to the dead-letter queue and throws without one', () => {
    const { sns, bodies } = topicWith();
    const missing = 'arn:aws:sqs:eu-central-1:111111111111:missing';
    sns.subscribe(topic, missing, { redriveArn: 'arn:aws:sqs:eu-central-1:111111111111:inbox' });
    sns.publish(topic, 'a', ses);
    expect(bodies()).toEqual(['a', 'a']);
    sns.subscribe(topic, missing);
    expect(() => sns.publish(topic, 'b', ses)).toThrow('does not exist');
  });

  it('rejects messages over 256 KB and unknown topics', () => {
    const { sns } = topicWith();
    expect(() => sns.publish(topic, 'a'.repeat(262_145), ses)).toThrow('too long');
    expect(() => sns.publish('arn:other', 'a', ses)).toThrow('does not exist');
  });

  it('rejects a publish that the topic policy or the key policy denies', () => {
    const key = 'arn:aws:kms:us-east-1:111111111111:key/1';
    const denied = topicWith((_caller, action) => action !== 'sns:Publish');
    expect(() => denied.sns.publish(topic, 'a', ses)).toThrow(
      'ses.amazonaws.com is not authorized to perform: SNS:Publish',
    );
    const asked: [string, object][] = [];
    const encrypted = topicWith(({ context }, action) => {
      asked.push([action, context]);
      return action !== 'kms:Decrypt';
    }, key);
    expect(() => encrypted.sns.publish(topic, 'a', ses)).toThrow('may not use the key');
    expect(asked).toEqual([
      ['sns:Publish', ses.context],
      ['kms:GenerateDataKey', {}],
      ['kms:Decrypt', {}],
    ]);
    expect([denied.bodies(), encrypted.bodies()]).toEqual([[], []]);
  });

  it('sends to the dead-letter queue when the queue policy denies, and drops without one', () => {
    const redriveArn = 'arn:aws:sqs:eu-central-1:111111111111:inbox';
    const { sns, sqs, dropped, bodies } = topicWith(
      (_caller, _action, resource) => !resource.endsWith(':closed'),
    );
    const closed = sqs.createQueue({
      name: 'closed',
      fifo: false,
      visibilitySeconds: 30,
      retentionSeconds: 60,
    });
    sns.subscribe(topic, closed.arn, { redriveArn });
    sns.publish(topic, 'a', ses);
    expect([bodies(), dropped]).toEqual([['a', 'a'], []]);
    sns.subscribe(topic, closed.arn);
    sns.publish(topic, 'b', ses);
    expect(dropped).toEqual([
      `SNS dropped a message of ${topic}: the policy of ${closed.arn} denies sqs:SendMessage to sns.amazonaws.com`,
    ]);
    expect(closed.messages()).toEqual([]);
  });
});
