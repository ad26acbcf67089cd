/** Teardown of received mail, as the inbound pipeline stores it. */
import { afterEach, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import type { SpaceId, WorkspaceId } from '../../../lib/core/ids.ts';
import { newTeardown } from '../../../lib/core/workspaces/teardown.ts';
import { createSpace } from '../../../lib/services/spaces/spaces.ts';
import { deleteSpace } from '../../../lib/storage/teardown/teardowns.ts';
import { clearFaults, inject } from '../../faults/kit.ts';
import { arrivingMessage } from '../../support/arriving-message.ts';
import { cloud } from '../../support/cloud.ts';
import { deletionOf, keysOfContent, start, tearDown } from '../../support/deleted-space.ts';
import { loseBefore } from '../../support/lost-response.ts';
import { objects } from '../../support/stored.ts';

afterEach(clearFaults);

const lines = ['From: ann@buyer.test', 'To: desk@own.test', 'Subject: Order 7', '', 'Hi'];

const withFile = [
  'Content-Type: multipart/mixed; boundary=x',
  ...lines.slice(0, 3),
  '',
  '--x',
  '',
  'Hi',
  '--x',
  'Content-Disposition: attachment; filename=a.txt',
  '',
  'Seven',
  '--x--',
];
const messageId = 'Message-ID: <order-7@buyer.test>';

/** A space that receives something, and its teardown. Expects that nothing is left. */
async function leavesNothing(
  receive: (of: { workspaceId: WorkspaceId; spaceId: SpaceId }) => Promise<unknown>,
) {
  const { workspaceId } = await start();
  const [items, files] = [await keysOfContent(workspaceId), await objects()];
  const space = await createSpace(workspaceId, { name: 'Acme', externalId: null });
  await receive({ workspaceId, spaceId: space.id });
  // A teardown begins when functions that may still write have ended.
  await cloud().waitForQuiescence();
  await deleteSpace(workspaceId, space, newTeardown(space.id, now()), deletionOf(space.id), []);
  await tearDown(workspaceId, space.id);
  await cloud().waitForQuiescence();
  expect(await keysOfContent(workspaceId)).toEqual(items);
  expect(await objects()).toEqual(files);
}

it.each([
  ['with a Message-ID', [messageId]],
  ['without a Message-ID', []],
  ['with a Message-ID of our form', ['Message-ID: <eml_0123456789abcdef0123456789abcdef@buyer.test>']],
])('a teardown leaves nothing of a received message %s', async (_, headers) => {
  await leavesNothing(async (of) => {
    const receive = await arrivingMessage(of, [...headers, ...lines]);
    await receive();
  });
});

it.each(['before', 'after'])(
  'a teardown leaves nothing of a copy whose message was stored %s the look for its thread',
  async (when) => {
    await leavesNothing(async (of) => {
      const receive = await arrivingMessage(of, [messageId, ...withFile]);
      if (when === 'before') return await receive(() => receive());
      loseBefore('TransactWriteItems', of.workspaceId, () => receive());
      return await receive();
    });
  },
);

it('a teardown leaves no text and no file of a message whose function died before the commit', async () => {
  await leavesNothing(async (of) => {
    // A thread is listed under the hash of its subject, to which nothing leads then.
    const receive = await arrivingMessage(
      of,
      withFile.filter((line) => !line.startsWith('Subject')),
    );
    const match = of.workspaceId;
    await inject({ action: 'TransactWriteItems', kind: 'error', status: 400, code: 'X', match });
    await expect(receive()).rejects.toThrow();
  });
});

it('a teardown leaves nothing of a thread that a message began before it joined another one', async () => {
  await leavesNothing(async (of) => {
    const parent = await arrivingMessage(of, [messageId, ...lines]);
    const answer = await arrivingMessage(of, ['In-Reply-To: <order-7@buyer.test>', ...lines]);
    loseBefore('TransactWriteItems', of.workspaceId, () => parent());
    await answer();
  });
});
