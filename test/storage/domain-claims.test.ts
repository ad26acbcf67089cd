import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { newTeardown } from '../../lib/core/teardown.ts';
import { createSpace } from '../../lib/services/spaces/spaces.ts';
import { findSender, findSenderOf } from '../../lib/storage/domain-claims.ts';
import { deleteSpace } from '../../lib/storage/teardowns.ts';
import { ownCalls } from '../support/calls.ts';
import { deletionOf, start, tag } from '../support/deleted-space.ts';
import { fillSpace } from '../support/filled-space.ts';

/** A space with a domain. */
async function spaceWithDomain() {
  const own = await start();
  const space = await createSpace(own.workspaceId, { name: 'Acme', externalId: tag() });
  const name = tag();
  await fillSpace({ ...own, spaceId: space.id, tag: name });
  return { ...own, space, host: `mail.${name}.example` };
}

describe('findSenderOf', () => {
  it('finds no domain of a deleted space for an email outside it', async () => {
    const { workspaceId, space, host } = await spaceWithDomain();
    const found = await findSender(workspaceId, host);
    expect(found).toMatchObject({ spaceId: space.id });
    expect(await findSenderOf(workspaceId, host, { spaceId: null })).toEqual(found);
    const teardown = newTeardown(space.id, now());
    expect(await deleteSpace(workspaceId, space, teardown, deletionOf(space.id), [])).toBe('deleted');
    expect(await findSender(workspaceId, host)).toBeNull();
    expect(await findSenderOf(workspaceId, host, { spaceId: null })).toBeNull();
  });

  it('reads no deleted spaces when the domain is of the space of the email', async () => {
    const { workspaceId, space, host } = await spaceWithDomain();
    const read = (spaceId: typeof space.id | null) =>
      ownCalls(() => findSenderOf(workspaceId, host, { spaceId }));
    expect(await read(space.id)).toEqual(['BatchGetItem']);
    expect(await read(null)).toEqual(['BatchGetItem', 'GetItem']);
  });
});
