/** Teardown step by step, without the queue: what is left in the end; after crashes: `teardown-order.all.test.ts`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { findObject } from '../../../lib/adapters/objects.ts';
import { newTeardown } from '../../../lib/core/workspaces/teardown.ts';
import { createSpace } from '../../../lib/services/spaces/spaces.ts';
import { storeContent } from '../../../lib/storage/emails/email-content.ts';
import { createEmail } from '../../../lib/storage/emails/email-heads.ts';
import { commit } from '../../../lib/storage/table/transactions.ts';
import { deleteSpace } from '../../../lib/storage/teardown/teardowns.ts';
import { findDeletedSpaces } from '../../../lib/storage/workspaces/deleted-spaces.ts';
import { clearFaults } from '../../faults/kit.ts';
import { cloud } from '../../support/cloud.ts';
import { deleted, deletionOf, keysOfContent, start, tag, tearDown } from '../../support/deleted-space.ts';
import { fillSpace, storeRaw } from '../../support/filled-space.ts';
import { captureLog } from '../../support/log-lines.ts';
import { itemsOf, naming, objects } from '../../support/stored.ts';
import { storedContent, storedHead } from '../../support/stored-mail.ts';

beforeEach(() => void captureLog());
afterEach(clearFaults);

describe('a teardown', () => {
  it('removes everything of its space and nothing of others', async () => {
    const { workspaceId, endpointId } = await start();
    const other = await createSpace(workspaceId, { name: 'Other', externalId: null });
    await fillSpace({ workspaceId, endpointId, spaceId: other.id, tag: tag() });
    await fillSpace({ workspaceId, endpointId, spaceId: null, tag: tag() });
    const [items, files] = [await keysOfContent(workspaceId), await objects()];
    const spaceId = await deleted(workspaceId, endpointId);
    expect(naming(await itemsOf(workspaceId), spaceId).length).toBeGreaterThan(20);
    expect(await findDeletedSpaces(workspaceId)).toEqual({ ids: new Set([spaceId]), isErased: false });
    await tearDown(workspaceId, spaceId);
    await cloud().waitForQuiescence();
    expect(await keysOfContent(workspaceId)).toEqual(items);
    expect(await objects()).toEqual(files);
  });

  it.each([true, false])('removes a raw message unless another space has it: %s', async (isShared) => {
    const { workspaceId } = await start();
    const space = await createSpace(workspaceId, { name: 'Acme', externalId: null });
    const head = storedHead({ spaceId: space.id });
    const raw = await storeRaw(`mail/${tag()}`);
    const arrival = { fingerprint: 'f', inReplyTo: [], isShared };
    const content = { ...storedContent('Hi'), raw, arrival };
    await storeContent(workspaceId, head.id, content);
    await commit(workspaceId, createEmail(workspaceId, head));
    await deleteSpace(workspaceId, space, newTeardown(space.id, now()), deletionOf(space.id), []);
    await tearDown(workspaceId, space.id);
    expect((await findObject(raw)) !== null).toBe(isShared);
  });
});
