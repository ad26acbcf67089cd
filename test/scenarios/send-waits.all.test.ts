/** Waits and refused callers of `POST /emails` (docs/decisions/0062-handlers-that-start-early.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { findSendingGuard } from '../../lib/storage/sending-guards.ts';
import { api, apiInProcess } from '../support/api.ts';
import { ownCalls } from '../support/calls.ts';
import { cloud } from '../support/cloud.ts';
import { captureLog } from '../support/log-lines.ts';
import { itemsOf, keysOf } from '../support/stored.ts';
import { waitsDuring } from '../support/waits.ts';
import { workspace } from '../support/workspace.ts';

/** Prose of 8 KB. */
const prose = readFileSync(join(import.meta.dirname, '../../docs/concepts/sending.md'), 'utf8').slice(
  0,
  8192,
);

const mail = { to: 'anna@people.example.test', subject: 'Hello' };

it.each([
  { path: '/emails', body: { ...mail, text: prose }, headers: {}, commit: 'PutItem' },
  {
    path: '/emails',
    body: { ...mail, text: prose },
    headers: { 'idempotency-key': 'one' },
    commit: 'TransactWriteItems',
  },
  { path: '/api/v1/emails/send', body: { ...mail, html: prose }, headers: {}, commit: 'PutItem' },
])(
  'a warm send of 8 KB waits three times and calls no S3: $path $headers',
  async ({ path, body, headers, commit }) => {
    captureLog();
    const ours = await workspace();
    const client = apiInProcess(ours);
    const send = async (more = {}) => {
      const { status } = await client.post(path, { ...body, from: `desk@${ours.providedDomain}` }, more);
      expect([200, 201]).toContain(status);
    };
    for (let times = 0; times < 2; times++) await send();
    await cloud().waitForQuiescence();
    let waits: readonly (readonly string[])[] = [];
    const calls = await ownCalls(async () => {
      waits = await waitsDuring(() => send(headers));
    });
    expect(waits).toEqual([
      // Sender, suppressions and idempotency key; the API key; budget and caps.
      ['BatchGetItem', 'GetItem', 'UpdateItem', 'UpdateItem'],
      // Content, head and entries of the thread.
      ['BatchWriteItem', 'PutItem', 'PutItem'],
      [commit],
    ]);
    expect(calls).toEqual(waits.flat().toSorted());
  },
);

async function countedRecipients(workspaceId: WorkspaceId): Promise<number> {
  const { counts } = await findSendingGuard(workspaceId);
  return counts.reduce((sum, { sent }) => sum + sent, 0);
}

it('a send with a key that another function has deleted stores nothing and leaves the caps as they were', async () => {
  captureLog();
  const ours = await workspace();
  const { key, token } = await createKey(ours.id, { name: 'leaked', scope: 'sending' });
  const client = apiInProcess(token);
  const send = async () =>
    await client.post('/emails', { ...mail, text: 'Hi', from: `desk@${ours.providedDomain}` });
  expect((await send()).status).toBe(201);
  expect((await api(ours).delete(`/api-keys/${key.id}`)).status).toBe(204);
  await cloud().waitForQuiescence();
  const counted = await countedRecipients(ours.id);
  const stored = keysOf(await itemsOf(ours.id));

  const refuse = async () => expect((await send()).body.code).toBe('unauthorized');
  // Budget, caps, and the caps again, which get the recipients back.
  const writes = (await ownCalls(refuse)).filter((action) => !/Get|Query/.test(action));
  expect(writes).toEqual(['UpdateItem', 'UpdateItem', 'UpdateItem']);
  expect(keysOf(await itemsOf(ours.id))).toEqual(stored);
  expect(await countedRecipients(ours.id)).toBe(counted);

  // The function has forgotten the key: only the key and its workspace are read.
  expect(await ownCalls(refuse)).toEqual(['GetItem', 'GetItem']);
  expect(await countedRecipients(ours.id)).toBe(counted);
});
