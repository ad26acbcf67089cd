/** Suppressions: one item for each address, key and space, found by what it stands for in a single batch. */
import { now } from '../adapters/clock.ts';
import { composeId, type EmailId, type SpaceId, type SuppressionId, type WorkspaceId } from '../core/ids.ts';
import { addressKey } from '../core/mail/addresses.ts';
import { Problem } from '../core/problems.ts';
import {
  blocks,
  listsToCheck,
  type Suppression,
  type SuppressionReason,
  type SuppressionScope,
  type SuppressionTerms,
} from '../core/suppression.ts';
import * as keys from './keys.ts';
import { listFiltered, listPage, type Page } from './paging.ts';
import { type Conditions, get, getMany, type Item, ifUnchanged, update, type Write } from './table.ts';

function suppression(item: Item): Suppression {
  return {
    id: item.id as SuppressionId,
    address: item.address as string,
    key: item.key as string,
    spaceId: (item.spaceId as SpaceId | null | undefined) ?? null,
    scope: item.scope as SuppressionScope,
    reason: item.reason as SuppressionReason,
    note: (item.note as string | null | undefined) ?? null,
    blocks: item.blocks as number,
    lastBlockedAt: (item.lastBlockedAt as number | null | undefined) ?? null,
    sourceEmailId: (item.sourceEmailId as EmailId | null | undefined) ?? null,
    createdAt: item.createdAt as number,
  };
}

/** An address to put on a list. */
export interface SuppressionInput {
  readonly address: string;
  readonly key: string;
  readonly spaceId: SpaceId | null;
  readonly scope: SuppressionScope;
  readonly reason: SuppressionReason;
  readonly sourceEmailId: EmailId | null;
  /** null leaves the note that is there. */
  readonly note: string | null;
}

/**
 * What puts an address on a list, or changes the entry that is there. It never narrows: `all` stays `all`, and what the
 * world said of an address (a bounce, a complaint) is not written over by what somebody wished.
 */
function upsert(workspaceId: WorkspaceId, given: SuppressionInput) {
  const at = now();
  const tail = keys.suppressionTail(given.spaceId, given.key, addressKey(given.address));
  const id = composeId('sup', at, tail);
  const isFact = given.reason === 'bounce' || given.reason === 'complaint';
  const kept = {
    id,
    g1sk: id,
    address: given.address,
    key: given.key,
    spaceId: given.spaceId,
    createdAt: at,
    blocks: 0,
    ...(given.scope === 'optional' && { scope: given.scope }),
    ...(!isFact && { reason: given.reason, sourceEmailId: given.sourceEmailId }),
  };
  const written = {
    g1pk: keys.suppressions(workspaceId),
    ...(given.scope === 'all' && { scope: given.scope }),
    ...(isFact && { reason: given.reason, sourceEmailId: given.sourceEmailId }),
    ...(given.note !== null && { note: given.note }),
  };
  const names = [...Object.keys(kept), ...Object.keys(written)];
  return {
    key: keys.suppressionKey(workspaceId, tail),
    UpdateExpression: `SET ${[
      ...Object.keys(kept).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
      ...Object.keys(written).map((name) => `#${name} = :${name}`),
    ].join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries({ ...kept, ...written }).map(([name, value]) => [`:${name}`, value]),
    ),
  };
}

/** The write, named `suppression`, that puts an address on a list. */
export function suppress(workspaceId: WorkspaceId, given: SuppressionInput): Write {
  const { key, ...expressions } = upsert(workspaceId, given);
  return { as: 'suppression', update: key, ...expressions };
}

/** As `suppress`, but fails where the entry is there already and as wide. */
export function suppressIfAbsent(workspaceId: WorkspaceId, given: SuppressionInput): Write {
  const { key, ...expressions } = upsert(workspaceId, given);
  const absent = 'attribute_not_exists(pk)';
  const condition: Conditions =
    given.scope === 'optional'
      ? { ConditionExpression: absent }
      : {
          ConditionExpression: `${absent} OR #scope = :optional`,
          ExpressionAttributeValues: { ...expressions.ExpressionAttributeValues, ':optional': 'optional' },
        };
  return { as: 'suppression', update: key, ...expressions, ...condition };
}

/** Updates in flight at once: as many connections as the client keeps. */
const atOnce = 50;

/** Puts addresses on a list; the entries as they are then, in the order of the addresses. */
export async function suppressAll(
  workspaceId: WorkspaceId,
  addresses: readonly string[],
  given: Omit<SuppressionInput, 'address'>,
): Promise<Suppression[]> {
  const open = new Map(addresses.map((address) => [addressKey(address), address])).entries();
  const made = new Map<string, Suppression>();
  const work = async () => {
    for (const [comparable, address] of open) {
      const { key, ...expressions } = upsert(workspaceId, { ...given, address });
      const item = await update(key, expressions);
      if (item) made.set(comparable, suppression(item));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return addresses.flatMap((address) => made.get(addressKey(address)) ?? []);
}

/** The recipients that a send must not reach, each with the suppressions in its way. One batch read. */
export async function findBlocked(
  workspaceId: WorkspaceId,
  terms: SuppressionTerms,
  addresses: readonly string[],
): Promise<Map<string, SuppressionId[]>> {
  const lists = listsToCheck(terms);
  const wanted = addresses.flatMap((address) => {
    const comparable = addressKey(address);
    return lists.map(({ spaceId, key }) => ({
      address,
      key: keys.suppressionKey(workspaceId, keys.suppressionTail(spaceId, key, comparable)),
    }));
  });
  const items = await getMany(wanted.map(({ key }) => key));
  const blocked = new Map<string, SuppressionId[]>();
  for (const [at, { address }] of wanted.entries()) {
    const item = items[at];
    if (!item || !blocks(suppression(item).scope, terms)) continue;
    blocked.set(address, [...(blocked.get(address) ?? []), item.id as SuppressionId]);
  }
  return blocked;
}

/** Counts a send that the suppressions have blocked. A statistic: one that is deleted meanwhile is passed over. */
export async function countBlocks(workspaceId: WorkspaceId, ids: readonly SuppressionId[]): Promise<void> {
  const at = now();
  await Promise.all(
    ids.map((id) =>
      ifUnchanged([
        {
          as: 'suppression',
          update: keys.suppressionKeyOfId(workspaceId, id),
          UpdateExpression: 'SET blocks = blocks + :one, lastBlockedAt = :at',
          ConditionExpression: '#id = :id',
          ExpressionAttributeNames: { '#id': 'id' },
          ExpressionAttributeValues: { ':one': 1, ':at': at, ':id': id },
        },
      ]),
    ),
  );
}

const notFound = () => new Problem('not_found', 'There is no such suppression.');

/** @throws Problem not_found */
export async function getSuppression(workspaceId: WorkspaceId, id: SuppressionId): Promise<Suppression> {
  const item = await get(keys.suppressionKeyOfId(workspaceId, id));
  // An entry that was deleted and made anew lies in the same place under another id.
  if (item?.id !== id) throw notFound();
  return suppression(item);
}

/** Deletes a suppression, effective with the next send. @throws Problem not_found */
export async function deleteSuppression(workspaceId: WorkspaceId, id: SuppressionId): Promise<void> {
  const isGone = await ifUnchanged([
    {
      as: 'suppression',
      delete: keys.suppressionKeyOfId(workspaceId, id),
      ConditionExpression: '#id = :id',
      ExpressionAttributeNames: { '#id': 'id' },
      ExpressionAttributeValues: { ':id': id },
    },
  ]);
  if (!isGone) throw notFound();
}

export interface SuppressionFilter {
  /** undefined: every space. */
  readonly space?: SpaceId | null | undefined;
  readonly key?: string | undefined;
  readonly reason?: SuppressionReason | undefined;
  /** A part of an address, in any case and in either form of an international domain. */
  readonly address?: string | undefined;
}

/** A page of suppressions, newest first. With a filter it may end early; see `listFiltered`. */
export async function listSuppressions(
  workspaceId: WorkspaceId,
  filter: SuppressionFilter,
  paging: { limit: number; after: string | null },
): Promise<Page<Suppression>> {
  const input = {
    pk: keys.suppressions(workspaceId),
    index: 'GSI1' as const,
    order: 'newest first' as const,
    ...paging,
  };
  const isFiltered = Object.values(filter).some((given) => given !== undefined);
  const page = isFiltered
    ? await listFiltered(input, (item) => passes(suppression(item), filter))
    : await listPage(input);
  return { items: page.items.map(suppression), next: page.next };
}

function passes(found: Suppression, filter: SuppressionFilter): boolean {
  const { space, key, reason, address } = filter;
  if (space !== undefined && found.spaceId !== space) return false;
  if (key !== undefined && found.key !== key) return false;
  if (reason !== undefined && found.reason !== reason) return false;
  if (address === undefined) return true;
  const comparable = addressKey(found.address);
  return comparable.includes(address.toLowerCase()) || comparable.includes(addressKey(address));
}
