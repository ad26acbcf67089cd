/** Teardown, crashed at every AWS call; and of a space with thousands of emails, by the worker. */
import { beforeEach, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { SpaceId, WorkspaceId } from '../../../lib/core/ids.ts';
import { storeContent } from '../../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../../lib/storage/emails/email-heads.ts';
import { suppressAll } from '../../../lib/storage/sending/suppressions.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { createThread } from '../../../lib/storage/threads/threads.ts';
import { untilDone } from '../../faults/kit.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import {
  crashErasureAtEveryCall,
  crashTeardownAtEveryCall,
  keysOfContent,
} from '../../support/deleted-space.ts';
import { incompressible } from '../../support/incompressible.ts';
import { captureLog } from '../../support/log-lines.ts';
import { objects } from '../../support/stored.ts';
import { buyer, fromBuyer, storedContent, storedHead } from '../../support/stored-mail.ts';
import { workspace } from '../../support/workspace.ts';

beforeEach(() => void captureLog());

const messagesPerThread = 10;

/** Threads of ten messages each, every tenth with content in the bucket. */
async function storeThreads(workspaceId: WorkspaceId, spaceId: SpaceId, count: number): Promise<void> {
  const pending = Array.from({ length: count }, (_, at) => at).values();
  const work = async () => {
    for (const at of pending) await storeThread(workspaceId, spaceId, at);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

async function storeThread(workspaceId: WorkspaceId, spaceId: SpaceId, at: number): Promise<void> {
  const threadId = newId('thr');
  const ids = Array.from({ length: messagesPerThread }, () => newId('eml'));
  const emails = ids.map(async (id, number) => {
    await storeContent(workspaceId, id, storedContent(incompressible(number === 0 ? 6000 : 10)));
    return createEmail(workspaceId, storedHead({ id, threadId, spaceId }));
  });
  const mailbox = 'sales@acme.dev';
  const thread = { id: threadId, spaceId, subject: `Order ${at}`, mailbox, forwardOf: null };
  const [emailId = newId('eml')] = ids;
  const activity = {
    emailId,
    at: now(),
    snippet: '',
    ...fromBuyer,
    participants: [buyer],
    mailboxes: [mailbox],
  };
  await commit(workspaceId, [
    ...(await Promise.all(emails)).flat(),
    ...createThread(workspaceId, thread, activity),
  ]);
}

/** The local cloud waits for its work for 30 seconds; a teardown of thousands of emails takes longer. */
async function patiently(wait: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await wait();
    } catch (error) {
      if (tries === 5 || !String(error).includes('not quiescent')) throw error;
    }
  }
}

it('a teardown leaves nothing when it crashes at any AWS call and is continued', async () => {
  await crashTeardownAtEveryCall();
});

it('an erasure leaves nothing when it crashes at any AWS call and is continued', async () => {
  await crashErasureAtEveryCall();
}, 900_000);

it('a space with 3,000 emails and 2,000 suppressions is removed, and another one keeps its own', async () => {
  const own = await workspace();
  const client = api(own);
  const space = async (name: string) => (await client.post<{ id: SpaceId }>('/spaces', { name })).body.id;
  const other = await space('Other');
  await storeThreads(own.id, other, 5);
  const [items, files] = [await keysOfContent(own.id), await objects()];
  const acme = await space('Acme');
  await storeThreads(own.id, acme, 300);
  const addresses = Array.from({ length: 2000 }, (_, at) => `p${at}@example.test`);
  const manual = { key: '*', scope: 'all', reason: 'manual', sourceEmailId: null, note: null } as const;
  await suppressAll(own.id, addresses, { ...manual, spaceId: acme });

  const started = performance.now();
  expect((await client.delete(`/spaces/${acme}`)).status).toBe(204);
  const answeredMs = performance.now() - started;
  expect((await client.get<{ data: unknown[] }>('/emails?limit=100')).body.data).not.toContainEqual(
    expect.objectContaining({ space_id: acme }),
  );
  for (let pass = 0; pass < 3; pass++) {
    await patiently(() => cloud().waitForQuiescence());
    await patiently(() => cloud().advance(901));
  }
  await patiently(() => untilDone(901));
  process.stderr.write(
    `deletion answered in ${Math.round(answeredMs)} ms, ended after ${Math.round((performance.now() - started) / 1000)} s\n`,
  );
  expect(await keysOfContent(own.id)).toEqual(items);
  expect(await objects()).toEqual(files);
});
