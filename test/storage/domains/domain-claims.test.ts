import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import type { WorkspaceId } from '../../../lib/core/ids.ts';
import { newTeardown } from '../../../lib/core/workspaces/teardown.ts';
import { createSpace } from '../../../lib/services/spaces/spaces.ts';
import { findSenderOf } from '../../../lib/storage/domains/domain-claims.ts';
import { createDomain } from '../../../lib/storage/domains/domains.ts';
import { findSenders } from '../../../lib/storage/sending/senders.ts';
import { deleteSpace } from '../../../lib/storage/teardown/teardowns.ts';
import { ownCalls } from '../../support/calls.ts';
import { deletionOf, start, tag } from '../../support/deleted-space.ts';
import { fillSpace } from '../../support/filled-space.ts';
import { storedDomain } from '../../support/stored-domain.ts';
import { workspace } from '../../support/workspace.ts';

/** The domain that a workspace sends from at a host. */
const findSender = async (workspaceId: WorkspaceId, host: string) =>
  (await findSenders(workspaceId, `desk@${host}`)).domain;

/** A space with a domain. */
async function spaceWithDomain() {
  const own = await start();
  const space = await createSpace(own.workspaceId, { name: 'Acme', externalId: tag() });
  const name = tag();
  await fillSpace({ ...own, spaceId: space.id, tag: name });
  return { ...own, space, host: `mail.${name}.example` };
}

describe('findSenders', () => {
  it('finds no wildcard above the provided domain for the names of others under it', async () => {
    const [own, other] = await Promise.all([workspace(), workspace()]);
    const suffix = own.providedDomain.slice(own.slug.length + 1);
    const wildcard = storedDomain({
      name: suffix.slice(suffix.indexOf('.') + 1),
      wildcard: true,
      verifiedAt: now(),
    });
    await createDomain(own.id, wildcard, null, []);
    expect(await findSender(own.id, `shop.${wildcard.name}`)).toMatchObject({ domainId: wildcard.id });
    expect(await findSender(own.id, own.providedDomain)).toMatchObject({ provided: true });
    expect(await findSender(own.id, other.providedDomain)).toBeNull();
  });

  it('finds mailbox and domain of an address in one read', async () => {
    const { workspaceId, space, host } = await spaceWithDomain();
    // Its own name; the mailbox is in the same space.
    const address = `anna@${host.replace('mail.', '')}`;
    const calls = await ownCalls(async () => {
      expect(await findSenders(workspaceId, address)).toMatchObject({
        mailbox: { spaceId: space.id },
        domain: { spaceId: space.id },
      });
    });
    expect(calls).toEqual(['BatchGetItem']);
    const teardown = newTeardown(space.id, now());
    await deleteSpace(workspaceId, space, teardown, deletionOf(space.id), []);
    expect(await findSenders(workspaceId, address)).toEqual({ mailbox: null, domain: null });
  });
});

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
