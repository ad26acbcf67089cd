/** The AWS calls of a received message: each costs a millisecond of processor time, and a wait where it follows another. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { putObject } from '../../../lib/adapters/objects.ts';
import { newTeardown } from '../../../lib/core/workspaces/teardown.ts';
import { env } from '../../../lib/env.ts';
import { receiveMessage } from '../../../lib/services/receiving/receive-message.ts';
import { createSpace } from '../../../lib/services/spaces/spaces.ts';
import { createDomain } from '../../../lib/storage/domains/domains.ts';
import { listEmails } from '../../../lib/storage/emails/email-heads.ts';
import { deleteSpace } from '../../../lib/storage/teardown/teardowns.ts';
import { ownCalls } from '../../support/calls.ts';
import { deletionOf, tag } from '../../support/deleted-space.ts';
import { captureLog } from '../../support/log-lines.ts';
import { storedDomain } from '../../support/stored-domain.ts';
import { workspace } from '../../support/workspace.ts';

/** A workspace, and its way to receive a message that SES has put into a bucket; returns the sorted calls. */
async function receiving(host?: string) {
  const { id: workspaceId, providedDomain } = await workspace();
  const recipient = `desk@${host ?? providedDomain}`;
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
  const emails = async () => (await listEmails(workspaceId, {}, { limit: 10, after: null })).items;
  const messageCounts = async () =>
    [...Map.groupBy(await emails(), ({ threadId }) => threadId).values()].map(({ length }) => length);
  return { workspaceId, receive, emails, messageCounts };
}

/** The same at a host under a verified wildcard of the workspace, and a way to give the host itself to a space that is deleted then. */
async function receivingUnderWildcard() {
  const parent = `${tag()}.example`;
  const host = `shop.${parent}`;
  const receiver = await receiving(host);
  const { workspaceId } = receiver;
  const verified = { verifiedAt: now() };
  const wildcard = storedDomain({ name: parent, wildcard: true, ...verified });
  return {
    ...receiver,
    addWildcard: () => createDomain(workspaceId, wildcard, null, []),
    async addDeletedSpace() {
      const space = await createSpace(workspaceId, { name: 'Acme', externalId: tag() });
      const domain = storedDomain({ name: host, spaceId: space.id, ...verified });
      expect(await createDomain(workspaceId, domain, null, [])).toBe('created');
      const teardown = newTeardown(space.id, now());
      expect(await deleteSpace(workspaceId, space, teardown, deletionOf(space.id), [])).toBe('deleted');
    },
  };
}

it('receiveMessage makes 5 calls for a message that begins a thread', async () => {
  const { receive, messageCounts } = await receiving();
  expect(await receive('Message-ID: <order-7@buyer.test>')).toEqual([
    // What is known of the message, and the deleted spaces.
    'BatchGetItem',
    // The content, and what lists the thread.
    'BatchWriteItem',
    'GetObject',
    // The domain: under the provided one, no other covers the host.
    'Query',
    'TransactWriteItems',
  ]);
  expect(await messageCounts()).toEqual([1]);
});

it('receiveMessage makes 6 calls for a message that answers another', async () => {
  const { receive, messageCounts } = await receiving();
  await receive('Message-ID: <order-7@buyer.test>');
  // The first message of a known sender adds its domain to those of correspondents, once.
  const reply = ['Message-ID: <order-9@buyer.test>', 'In-Reply-To: <order-7@buyer.test>'] as const;
  expect(await receive(...reply)).toContain('UpdateItem');
  expect(await receive('Message-ID: <order-8@buyer.test>', 'In-Reply-To: <order-7@buyer.test>')).toEqual([
    'BatchGetItem',
    'BatchWriteItem',
    // The thread.
    'GetItem',
    'GetObject',
    'Query',
    'TransactWriteItems',
  ]);
  expect(await messageCounts()).toEqual([3]);
});

it('receiveMessage stores mail for a domain of a deleted space where a wildcard receives it', async () => {
  const { receive, emails, addWildcard, addDeletedSpace } = await receivingUnderWildcard();
  expect(await addWildcard()).toBe('created');
  await addDeletedSpace();
  await receive('Message-ID: <order-7@buyer.test>');
  expect(await emails()).toMatchObject([{ spaceId: null, subject: 'Order 7' }]);
});

it('receiveMessage drops mail for a domain of a deleted space', async () => {
  const { receive, emails, addDeletedSpace } = await receivingUnderWildcard();
  await addDeletedSpace();
  const lines = captureLog();
  await receive('Message-ID: <order-7@buyer.test>');
  expect(lines).toContainEqual(expect.objectContaining({ event: 'inbound.dropped.no_recipient' }));
  expect(await emails()).toEqual([]);
});
