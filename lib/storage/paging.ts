/** Lists over one partition. The position of a page is its last sort key. */
import { limits } from '../core/limits.ts';
import type { Page } from '../core/page.ts';
import { bytesInResponse, endWithin } from '../core/response-size.ts';
import { type Item, query, queryIndex } from './table.ts';

/** The order of a list; sort keys are time-ordered ids. */
export type Order = 'oldest first' | 'newest first';

/** How a partition is addressed in the table or in one of its indexes. */
const attributes = {
  table: { pk: 'pk', sk: 'sk' },
  GSI1: { pk: 'g1pk', sk: 'g1sk' },
  GSI2: { pk: 'g2pk', sk: 'g2sk' },
} as const;

export interface ListInput {
  readonly pk: string;
  /** An index may lag behind the table: for lists only. */
  readonly index?: 'GSI1' | 'GSI2';
  readonly order: Order;
  readonly limit: number;
  readonly after: string | null;
  /** Only sort keys after, or before, these; of ids, which have one length. */
  readonly range?: { readonly after?: string | undefined; readonly before?: string | undefined };
}

/**
 * Reads what a page needs: `limit` items and one more, to know whether there is a next page. A page ends early at
 * `limits.pageBytes`. The position is a sort key,
 * not an offset: items that arrive during the listing neither repeat nor skip another.
 */
export async function listPage(input: ListInput): Promise<Page<Item>> {
  const { items, more } = await queryFrom(input, input.limit + 1);
  const page = items.slice(0, input.limit);
  const shown = page.slice(0, endWithin(page, limits.pageBytes));
  const last = shown.at(-1);
  // A query ends at 1 MB, and a page at `pageBytes`: then the page is short.
  const isLast = items.length === shown.length && !more;
  return { items: shown, next: last && !isLast ? sortKeyOf(input, last) : null };
}

/** Items that one request reads at most to fill a page of a filtered list. */
const filteredReadsMax = 2000;

/**
 * A page of the items that `keep` accepts. The work is bounded: after `filteredReadsMax` items the page ends, short or
 * even empty, with a position.
 *
 * @param readsMin items that one query reads at least; 0 where most items are accepted
 */
export async function listFiltered(
  input: ListInput,
  keep: (item: Item) => boolean,
  readsMin = 250,
): Promise<Page<Item>> {
  const kept: Item[] = [];
  let bytes = 0;
  let after = input.after;
  for (let read = 0; read < filteredReadsMax; ) {
    const { items, more } = await queryFrom({ ...input, after }, Math.max(input.limit + 1, readsMin));
    for (const item of items) {
      if (keep(item)) {
        bytes += bytesInResponse(item);
        const isFull = kept.length > 0 && bytes > limits.pageBytes;
        if (isFull || kept.length === input.limit) return { items: kept, next: after };
        kept.push(item);
      }
      after = sortKeyOf(input, item);
    }
    if (!more) return { items: kept, next: null };
    read += items.length;
  }
  return { items: kept, next: after };
}

async function queryFrom(input: ListInput, limit: number): Promise<{ items: Item[]; more: boolean }> {
  const { pk, sk } = attributes[input.index ?? 'table'];
  const forward = input.order === 'oldest first';
  const lower = (forward && input.after) || input.range?.after;
  const upper = (!forward && input.after) || input.range?.before;
  const request = {
    KeyConditionExpression: `${pk} = :pk${rangeCondition(sk, lower, upper)}`,
    ExpressionAttributeValues: {
      ':pk': input.pk,
      ...(lower && { ':lower': upper ? justAfter(lower) : lower }),
      ...(upper && { ':upper': lower ? justBefore(upper) : upper }),
    },
    ScanIndexForward: forward,
    Limit: limit,
  };
  if (lower && upper && justAfter(lower) > justBefore(upper)) return { items: [], more: false };
  const page = await (input.index ? queryIndex(input.index, request) : query(request));
  return { items: page.items, more: page.next !== null };
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
