import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { HttpRequest } from '@smithy/core/protocols';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSqs, type Sqs } from '../../../lib/local/aws/sqs.ts';
import { localAws } from './local-aws.ts';

async function start() {
  const made: Sqs[] = [];
  const aws = await localAws((clock) => {
    const sqs = createSqs({ clock, account: '111111111111', region: 'eu-central-1' });
    sqs.createQueue({ name: 'work', fifo: false, visibilitySeconds: 30, retentionSeconds: 345_600 });
    made.push(sqs);
    return [sqs];
  });
  const client = new SQSClient(aws.admin);
  onTestFinished(() => client.destroy());
  return { ...aws, client, sqs: made[0] as Sqs, QueueUrl: `${aws.gateway.url}/111111111111/work` };
}

describe('createSqs', () => {
  it('transfers a message with attributes whose digests the SDK verifies', async () => {
    const { client, QueueUrl } = await start();
    const MessageAttributes = {
      kind: { DataType: 'String', StringValue: 'greeting' },
      blob: { DataType: 'Binary', BinaryValue: Buffer.from([0, 255]) },
    };
    const sent = await client.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: 'Grüße 🎈',
        MessageAttributes,
        MessageGroupId: 'tenant',
      }),
    );
    const { Messages } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    expect(Messages).toEqual([
      {
        MessageId: sent.MessageId,
        ReceiptHandle: expect.any(String),
        Body: 'Grüße 🎈',
        MD5OfBody: sent.MD5OfMessageBody,
        Attributes: {
          SenderId: 'local-admin',
          SentTimestamp: expect.stringMatching(/^\d{13}$/),
          ApproximateReceiveCount: '1',
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
          MessageGroupId: 'tenant',
        },
        MessageAttributes: {
          kind: { DataType: 'String', StringValue: 'greeting' },
          blob: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255]) },
        },
        MD5OfMessageAttributes: sent.MD5OfMessageAttributes,
      },
    ]);
  });

  it('keeps the trace header of the request that sends a message', async () => {
    const { client, QueueUrl } = await start();
    const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Lineage=a87bd80c:3';
    client.middlewareStack.add(
      (next) => (args) => {
        if (HttpRequest.isInstance(args.request)) args.request.headers['X-Amzn-Trace-Id'] = trace;
        return next(args);
      },
      { step: 'build' },
    );
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
    await client.send(
      new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '0', MessageBody: 'another' }] }),
    );
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 2,
        MessageSystemAttributeNames: ['AWSTraceHeader'],
      }),
    );
    expect(Messages.map(({ Attributes }) => Attributes)).toEqual([
      { AWSTraceHeader: trace },
      { AWSTraceHeader: trace },
    ]);
  });

  it('computes the documented digest of attributes', async () => {
    const { client, QueueUrl } = await start();
    const sent = await client.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: 'a',
        MessageAttributes: { timestamp: { DataType: 'Number', StringValue: '1493147359900' } },
      }),
    );
    // The example of the AWS SDKs' tests.
    expect(sent.MD5OfMessageAttributes).toBe('235c5c510d26fb653d073faed50ae77c');
  });

  it('lists successful and failed entries of a batch', async () => {
    const { client, QueueUrl, sqs } = await start();
    const answer = await client.send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: [
          { Id: 'good', MessageBody: 'a' },
          { Id: 'bad', MessageBody: 'b', DelaySeconds: 901 },
        ],
      }),
    );
    expect(answer.Successful?.map(({ Id }) => Id)).toEqual(['good']);
    expect(answer.Failed).toMatchObject([{ Id: 'bad', SenderFault: true, Code: 'InvalidParameterValue' }]);
    expect(sqs.messages('work')).toHaveLength(1);
  });

  it('rejects batches that are too long, empty or with repeated ids', async () => {
    const { client, QueueUrl } = await start();
    const entries = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ Id: `${n}`, MessageBody: 'a' }));
    const send = (Entries: { Id: string; MessageBody: string }[]) =>
      client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    await expect(send(entries(11))).rejects.toMatchObject({ name: 'TooManyEntriesInBatchRequest' });
    await expect(send([])).rejects.toMatchObject({ name: 'EmptyBatchRequest' });
    await expect(send([...entries(1), ...entries(1)])).rejects.toMatchObject({
      name: 'BatchEntryIdsNotDistinct',
    });
  });

  it('changes visibility, deletes, and updates the queue attributes', async () => {
    const { client, QueueUrl } = await start();
    const Entries = ['a', 'b'].map((Id) => ({ Id, MessageBody: Id }));
    await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    const received = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    const [a, b] = received.Messages ?? [];
    await client.send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: a?.ReceiptHandle, VisibilityTimeout: 0 }),
    );
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: b?.ReceiptHandle }));
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    expect(Attributes).toMatchObject({
      QueueArn: 'arn:aws:sqs:eu-central-1:111111111111:work',
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesNotVisible: '0',
    });
  });

  it('ends a long poll when a message arrives', async () => {
    const { client, QueueUrl, sqs } = await start();
    const answer = client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    sqs.send('work', { body: 'here' });
    expect((await answer).Messages?.map(({ Body }) => Body)).toEqual(['here']);
  });

  it('ends a long poll without messages after its wait time', async () => {
    const { client, QueueUrl, clock } = await start();
    let isOver = false;
    const answer = client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 })).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await clock.advance(21_000);
      await nextTurn();
    }
    expect((await answer).Messages).toBeUndefined();
  });

  it('answers an error for an unknown queue', async () => {
    const { client, QueueUrl } = await start();
    const receive = new ReceiveMessageCommand({ QueueUrl: QueueUrl.replace('work', 'none') });
    await expect(client.send(receive)).rejects.toBeInstanceOf(QueueDoesNotExist);
  });

  it('separates queues of the same name by region', async () => {
    const { sqs } = await start();
    const settings = { name: 'work', fifo: false, visibilitySeconds: 30, retentionSeconds: 60 };
    const other = sqs.createQueue({ ...settings, region: 'us-east-1' });
    other.send({ body: 'a' });
    expect(sqs.messages('work')).toEqual([]);
    expect(sqs.messages(other.arn)).toHaveLength(1);
  });

  it('rejects unsupported operations by name', async () => {
    const { client } = await start();
    await expect(client.send(new ListQueuesCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: 'The local cloud does not emulate ListQueues of sqs.',
    });
  });
});
