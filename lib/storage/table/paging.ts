/** Lists over one partition, or over several as if they were one. The position of a page is its last sort key. */

import { bytesInResponse, endWithin } from '../../core/emails/response-size.ts';
import { limits } from '../../core/limits.ts';
import type { Page } from '../../core/page.ts';
import type { Key } from './keys.ts';
import { getMany } from './reads.ts';
import { type Item, type QueryInput, type QueryPage, query, queryIndex } from './table.ts';

/** The order of a list; sort keys are time-ordered ids. */
export type Order = 'oldest first' | 'newest first';

/** How a partition is addressed in the table or in one of its indexes. */
const attributes = {
  table: { pk: 'pk', sk: 'sk' },
  GSI1: { pk: 'g1pk', sk: 'g1sk' },
  GSI2: { pk: 'g2pk', sk: 'g2sk' },
} as const;

export interface ListInput {
  /** The partition. Of a list that is spread (docs/decisions/0088-spread-workspaces.md) all: the first has what is older than in the others. */
  readonly pk: string | readonly string[];
  /** An index may lag behind the table: for lists only. It projects keys only, so that items are read from the table. */
  readonly index?: 'GSI1' | 'GSI2';
  /** The key of the item that an entry of the partition stands for, where these are entries; by default their own. */
  readonly itemOf?: (entry: Key) => Key;
  readonly order: Order;
  readonly limit: number;
  readonly after: string | null;
  /** Only sort keys after, or before, these; of ids, which have one length. */
  readonly range?: { readonly after?: string | undefined; readonly before?: string | undefined };
}

/**
 * Reads what a page needs: `limit` entries and one more, to know whether there is a next page. A page ends early at
 * `limits.pageBytes`. The position is a sort key, not an offset: items that arrive during the listing neither repeat nor
 * skip another. An entry whose item has gone or has another place by now is left out.
 */
export async function listPage(input: ListInput): Promise<Page<Item>> {
  const { items: entries, next } = await listEntries(input);
  const placed = await readItems(input, entries);
  const items = placed.map(({ item }) => item);
  const end = endWithin(items, limits.pageBytes);
  return {
    items: items.slice(0, end),
    next: end < items.length ? (placed[end - 1]?.position ?? null) : next,
  };
}

/** A page of entries as they are in the partition: of an index, the keys of items that may have gone. */
export async function listEntries(input: ListInput): Promise<Page<Item>> {
  const { items, more } = await queryFrom(input, input.limit + 1);
  const entries = items.slice(0, input.limit);
  const last = entries.at(-1);
  // A query ends at 1 MB: then the page is short.
  const isLast = items.length === entries.length && !more;
  return { items: entries, next: last && !isLast ? sortKeyOf(input, last) : null };
}

interface PlacedItem {
  readonly item: Item;
  readonly position: string;
}

/** The items of entries that have the same place still. Consistent, in one batch where the entries are not the items. */
async function readItems(input: ListInput, entries: readonly Item[]): Promise<PlacedItem[]> {
  const { index, itemOf } = input;
  const found =
    index || itemOf ? await getMany(entries.map((entry) => (itemOf ? itemOf(entry) : entry))) : entries;
  const { pk, sk } = attributes[index ?? 'table'];
  const hasMoved = (entry: Item, item: Item) => !itemOf && (item[pk] !== entry[pk] || item[sk] !== entry[sk]);
  return entries.flatMap((entry, at) => {
    const item = found[at];
    return item && !hasMoved(entry, item) ? [{ item, position: sortKeyOf(input, entry) }] : [];
  });
}

/** What one request reads at most to fill a page of a filtered list. */
const filteredReadsMax = {
  /** A query takes many items for a unit. */
  items: 2000,
  /** Each item that is read by its key takes a unit ("DynamoDB read and write operations"). */
  entries: 500,
};
/** By how much the next read of entries is larger, where the one before did not fill the page. */
const entriesGrowth = 4;
/** Items that the first query and further ones read at least, where they are not read by entries, by how many items pass. */
const itemsReadMin = {
  some: { first: 250, further: 250 },
  most: { first: 0, further: 0 },
  'all or few': { first: 0, further: 250 },
} as const;

/** Takes items until a page has its limit of them, or as many bytes as a response may have. */
export function newPage<T>(limit: number) {
  const items: T[] = [];
  let bytes = 0;
  return {
    items,
    /** False where the page is full: the item begins the next one. */
    add(item: T): boolean {
      bytes += bytesInResponse(item);
      const isFull = items.length > 0 && bytes > limits.pageBytes;
      if (isFull || items.length === limit) return false;
      items.push(item);
      return true;
    },
  };
}

/**
 * A page of the items that `keep` accepts. The work is bounded: after `filteredReadsMax` the page ends, short or
 * even empty, with a position.
 *
 * @param passing how many items `keep` accepts, as far as the caller knows: it sets how many are read at once
 */
export async function listFiltered(
  input: ListInput,
  keep: (item: Item) => boolean,
  passing: keyof typeof itemsReadMin = 'some',
): Promise<Page<Item>> {
  const isByEntries = input.index !== undefined || input.itemOf !== undefined;
  const readsMax = isByEntries ? filteredReadsMax.entries : filteredReadsMax.items;
  const { items: kept, add } = newPage<Item>(input.limit);
  let after = input.after;
  const page = input.limit + 1;
  let atOnce = isByEntries ? page : Math.max(page, itemsReadMin[passing].first);
  for (let read = 0; read < readsMax; ) {
    const { items: entries, more } = await queryFrom({ ...input, after }, Math.min(atOnce, readsMax - read));
    for (const { item, position } of await readItems(input, entries)) {
      if (keep(item) && !add(item)) return { items: kept, next: after };
      after = position;
    }
    if (!more) return { items: kept, next: null };
    const last = entries.at(-1);
    after = last ? sortKeyOf(input, last) : after;
    read += entries.length;
    atOnce = isByEntries ? atOnce * entriesGrowth : Math.max(page, itemsReadMin[passing].further);
  }
  return { items: kept, next: after };
}

async function queryFrom(input: ListInput, limit: number): Promise<{ items: Item[]; more: boolean }> {
  const [first = '', ...others] = [input.pk].flat();
  if (others.length === 0) {
    const { items, reached } = await queryPartition({ ...input, pk: first }, limit);
    return { items, more: reached !== null };
  }
  const found: Item[] = [];
  for await (const { items, isCut } of partsOf(input, limit)) {
    found.push(...items);
    if (found.length >= limit || isCut) return { items: found.slice(0, limit), more: true };
  }
  return { items: found, more: false };
}

/** What is read of each item, and which are left out: parts of a Query request. */
type Selection = Pick<
  QueryInput,
  'ProjectionExpression' | 'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

type Listed = Omit<ListInput, 'limit'>;

/** The next items of a list. */
interface Part {
  readonly items: readonly Item[];
  /** How many items were looked at for it, at most. */
  readonly looked: number;
  /** Whether a query has ended at 1 MB. */
  readonly isCut: boolean;
}

/** The items of a list in the table, in its order, part by part: about `atOnce` at a time. */
export async function* partsOf(
  input: Listed,
  atOnce: number,
  selection: Selection = {},
): AsyncGenerator<Part> {
  const [older = '', ...newer] = [input.pk].flat();
  const groups = input.order === 'oldest first' ? [[older], newer] : [newer, [older]];
  for (const group of groups) yield* mergedParts(input, group, atOnce, selection);
}

/** The same of partitions that are read side by side. What sorts behind something that another may still have waits for the next part. */
async function* mergedParts(
  input: Listed,
  partitions: readonly string[],
  atOnce: number,
  selection: Selection,
): AsyncGenerator<Part> {
  const compare = input.order === 'oldest first' ? ascending : (a: string, b: string) => ascending(b, a);
  const readings = partitions.map((pk) => ({
    pk,
    reached: input.after,
    waiting: [] as Item[],
    isOpen: true,
  }));
  while (readings.some(({ isOpen, waiting }) => isOpen || waiting.length > 0)) {
    const open = readings.filter(({ isOpen }) => isOpen);
    // Ids are random: nearly always enough for each, being three standard deviations above the mean.
    const mean = atOnce / open.length;
    const share = Math.min(atOnce, Math.ceil(mean + 3 * Math.sqrt(mean)));
    const due = open.filter(({ waiting }) => waiting.length === 0);
    let [looked, isCut] = [0, false];
    const readOn = async (reading: (typeof readings)[number]) => {
      const part = { ...input, pk: reading.pk, after: reading.reached };
      const { items, reached, ...page } = await queryPartition(part, share, selection);
      // A query may look at fewer than its limit, never at more.
      looked += reached === null ? page.looked : share;
      isCut ||= reached !== null && items.length < share;
      Object.assign(reading, { reached, waiting: items, isOpen: reached !== null });
    };
    await Promise.all(due.map(readOn));
    const [bound] = readings
      .flatMap(({ isOpen, reached }) => (isOpen && reached ? [reached] : []))
      .sort(compare);
    const isKnown = ({ sk }: Item) => bound === undefined || compare(sk, bound) <= 0;
    const items = readings.flatMap(({ waiting }) => waiting.filter(isKnown));
    for (const reading of readings) reading.waiting = reading.waiting.filter((item) => !isKnown(item));
    yield { items: items.sort((a, b) => compare(a.sk, b.sk)), looked, isCut };
  }
}

const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** @returns `reached`: the position up to which the partition was read; null: to its end */
async function queryPartition(
  input: Listed & { readonly pk: string },
  limit: number,
  { ExpressionAttributeValues: values, ...selection }: Selection = {},
): Promise<Pick<QueryPage, 'items' | 'looked'> & { readonly reached: string | null }> {
  const { pk, sk } = attributes[input.index ?? 'table'];
  const forward = input.order === 'oldest first';
  const lower = (forward && input.after) || input.range?.after;
  const upper = (!forward && input.after) || input.range?.before;
  const request = {
    ...selection,
    KeyConditionExpression: `${pk} = :pk${rangeCondition(sk, lower, upper)}`,
    ExpressionAttributeValues: {
      ...values,
      ':pk': input.pk,
      ...(lower && { ':lower': upper ? justAfter(lower) : lower }),
      ...(upper && { ':upper': lower ? justBefore(upper) : upper }),
    },
    ScanIndexForward: forward,
    Limit: limit,
  };
  if (lower && upper && justAfter(lower) > justBefore(upper)) return { items: [], looked: 0, reached: null };
  const page = await (input.index ? queryIndex(input.index, request) : query(request));
  return { ...page, reached: page.next === null ? null : String(page.next[sk]) };
}

/** Both bounds are exclusive; BETWEEN includes its bounds, so that these are moved by less than one key. */
function rangeCondition(sk: string, lower: string | undefined, upper: string | undefined): string {
  if (lower && upper) return ` AND ${sk} BETWEEN :lower AND :upper`;
  if (lower) return ` AND ${sk} > :lower`;
  return upper ? ` AND ${sk} < :upper` : '';
}

/** Sorts after `key` and before every other key of its length that follows. `!` sorts before letters and digits. */
const justAfter = (key: string): string => `${key}!`;

/** Sorts before `key` and after every other key of its length that precedes. `~` sorts after letters and digits. */
const justBefore = (key: string): string =>
  `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}~`;

function sortKeyOf(input: ListInput, item: Item): string {
  return String(item[attributes[input.index ?? 'table'].sk]);
}
