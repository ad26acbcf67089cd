/** The AWS calls of a received message: each costs a millisecond of processor time, and a wait where it follows another. */
import { expect, it } from 'vitest';
import { putObject } from '../../../lib/adapters/objects.ts';
import { env } from '../../../lib/env.ts';
import { receiveMessage } from '../../../lib/services/receiving/receive-message.ts';
import { listEmails } from '../../../lib/storage/emails.ts';
import { ownCalls } from '../../support/calls.ts';
import { workspace } from '../../support/workspace.ts';

/** A workspace, and its way to receive a message that SES has put into a bucket; returns the sorted calls. */
async function receiving() {
  const { id: workspaceId, providedDomain } = await workspace();
  const recipient = `desk@${providedDomain}`;
  async function receive(...headers: string[]): Promise<readonly string[]> {
    const sesId = crypto.randomUUID();
    const raw = { bucket: env().CONTENT_BUCKET, key: `raw/${sesId}` };
    const lines = [...headers, 'From: ann@buyer.test', `To: ${recipient}`, 'Subject: Order 7', '', 'Hi'];
    await putObject(raw, Buffer.from(lines.join('\r\n')), 'message/rfc822');
    const topicArn = `arn:aws:sns:${env().HOME_REGION}:111111111111:mail`;
    const notification = {
      notificationType: 'Received',
      mail: { messageId: sesId, source: 'ann@buyer.test' },
      receipt: { recipients: [recipient], action: { bucketName: raw.bucket, objectKey: raw.key, topicArn } },
    };
    return await ownCalls(() => receiveMessage(JSON.stringify(notification)));
  }
  const messageCounts = async () => {
    const { items } = await listEmails(workspaceId, {}, { limit: 10, after: null });
    return [...Map.groupBy(items, ({ threadId }) => threadId).values()].map(({ length }) => length);
  };
  return { receive, messageCounts };
}

it('receiveMessage makes 7 calls for a message that begins a thread', async () => {
  const { receive, messageCounts } = await receiving();
  expect(await receive('Message-ID: <order-7@buyer.test>')).toEqual([
    // What is known of the message.
    'BatchGetItem',
    // The content, and what lists the thread; the entry that holds the messages of the change.
    'BatchWriteItem',
    // The deleted spaces.
    'GetItem',
    'GetObject',
    'PutItem',
    // The domain: under the provided one, no other covers the host.
    'Query',
    'TransactWriteItems',
  ]);
  expect(await messageCounts()).toEqual([1]);
});

it('receiveMessage makes 7 calls for a message that answers another', async () => {
  const { receive, messageCounts } = await receiving();
  await receive('Message-ID: <order-7@buyer.test>');
  expect(await receive('Message-ID: <order-8@buyer.test>', 'In-Reply-To: <order-7@buyer.test>')).toEqual([
    'BatchGetItem',
    'BatchWriteItem',
    // Also the thread.
    'GetItem',
    'GetItem',
    'GetObject',
    'Query',
    'TransactWriteItems',
  ]);
  expect(await messageCounts()).toEqual([2]);
});
