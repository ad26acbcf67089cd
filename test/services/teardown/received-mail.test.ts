/** Teardown of received mail, as the inbound pipeline stores it. */
import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newTeardown } from '../../../lib/core/teardown.ts';
import { createSpace } from '../../../lib/services/spaces/spaces.ts';
import { deleteSpace } from '../../../lib/storage/teardowns.ts';
import { arrivingMessage } from '../../support/arriving-message.ts';
import { cloud } from '../../support/cloud.ts';
import { deletionOf, keysOfContent, start, tearDown } from '../../support/deleted-space.ts';
import { objects } from '../../support/stored.ts';

const lines = ['From: ann@buyer.test', 'To: desk@own.test', 'Subject: Order 7', '', 'Hi'];

it.each([
  ['with a Message-ID', ['Message-ID: <order-7@buyer.test>']],
  ['without a Message-ID', []],
  ['with a Message-ID of our form', ['Message-ID: <eml_0123456789abcdef0123456789abcdef@buyer.test>']],
])('a teardown leaves nothing of a received message %s', async (_, headers) => {
  const { workspaceId } = await start();
  const [items, files] = [await keysOfContent(workspaceId), await objects()];
  const space = await createSpace(workspaceId, { name: 'Acme', externalId: null });
  const receive = await arrivingMessage({ workspaceId, spaceId: space.id }, [...headers, ...lines]);
  await receive();
  await deleteSpace(workspaceId, space, newTeardown(space.id, now()), deletionOf(space.id), []);
  await tearDown(workspaceId, space.id);
  await cloud().waitForQuiescence();
  expect(await keysOfContent(workspaceId)).toEqual(items);
  expect(await objects()).toEqual(files);
});
