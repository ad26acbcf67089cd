/**
 * Who has written to a space, and the domains of those who wrote more than once: what signals compare a sender with
 * (docs/concepts/signals.md). `arrivals.ts` reads it with what else is known of a message.
 */
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { addressKey } from '../../mail/addresses/addresses.ts';
import { codec, setOf, text } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { getMany } from '../table/reads.ts';
import { type Item, query, removeAll, updateIf } from '../table/table.ts';
import { ahead, type Write } from '../table/transactions.ts';

/** Domains kept of a space: about two read units. */
const domainsMax = 300;
const domainCharactersMax = 64;

const addressCodec = codec<{ readonly by: string }>('correspondent', { by: text });
const domainsCodec = codec<{ readonly domains: ReadonlySet<string> }>('domains of correspondents', {
  domains: setOf(text),
});

/** What a space knows of the sender of a message. */
export interface KnownSender {
  readonly isFirstContact: boolean;
  /** Registered domains of correspondents. */
  readonly domains: ReadonlySet<string>;
}

/** The keys of what `knownSender` reads. @param address null: the message names no author */
export function correspondentKeys(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  address: string | null,
): readonly keys.Key[] {
  return [
    keys.correspondentDomainsKey(workspaceId, spaceId),
    ...(address === null ? [] : [keys.correspondentKey(workspaceId, spaceId, addressKey(address))]),
  ];
}

/** Decodes what was read. @param fingerprint of the message: one that is received again is the first contact still */
export function knownSender(
  domains: Item | null | undefined,
  sender: Item | null | undefined,
  fingerprint: string,
): KnownSender {
  return {
    isFirstContact: !sender || addressCodec.decode(sender).by === fingerprint.slice(0, 64),
    domains: domains ? domainsCodec.decode(domains).domains : new Set(),
  };
}

/** The write that remembers the author of a first message, ahead of its transaction. */
export function rememberSender(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  address: string,
  fingerprint: string,
): Write {
  const key = keys.correspondentKey(workspaceId, spaceId, addressKey(address));
  return {
    as: 'correspondent',
    put: { ...key, ...addressCodec.encode({ by: fingerprint.slice(0, 64) }) },
    ...ahead,
  };
}

/** Adds the domain of an author who has written before; does nothing where the space has 300. */
export async function rememberDomain(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  domain: string,
): Promise<void> {
  if (domain.length > domainCharactersMax) return;
  await updateIf(keys.correspondentDomainsKey(workspaceId, spaceId), {
    UpdateExpression: 'ADD #domains :domain',
    ConditionExpression: 'attribute_not_exists(#domains) OR size(#domains) < :max',
    ExpressionAttributeNames: { '#domains': 'domains' },
    ExpressionAttributeValues: { ':domain': new Set([domain]), ':max': domainsMax },
  });
}

/** Removes a part of what a space, or a workspace, knows; the number of items found, 0 when nothing is left. */
export async function removeCorrespondents(workspaceId: WorkspaceId, scope: TeardownScope): Promise<number> {
  const { items } = await query({
    KeyConditionExpression: scope === 'workspace' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :space)',
    ExpressionAttributeValues: {
      ':pk': keys.correspondents(workspaceId),
      ...(scope !== 'workspace' && { ':space': `${scope}#` }),
    },
    Limit: 500,
  });
  await removeAll(items);
  return items.length;
}

/**
 * The number of spaces that know an address as that of a correspondent.
 *
 * @param spaces null: mail outside of spaces
 * @param forgets whether they know it no longer
 */
export async function knowingSpaces(
  workspaceId: WorkspaceId,
  spaces: readonly (SpaceId | null)[],
  address: string,
  forgets: boolean,
): Promise<number> {
  const found = (
    await getMany(spaces.map((space) => keys.correspondentKey(workspaceId, space, addressKey(address))))
  ).filter((item) => item !== null);
  if (forgets) await removeAll(found);
  return found.length;
}
