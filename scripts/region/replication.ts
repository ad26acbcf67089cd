/** What a global table does when a lost region is back: each region gets what it has not had, and the last writer wins. */
import { isDeepStrictEqual } from 'node:util';
import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Random } from '../random.ts';
import { copyTable, type TableCopy } from '../restore/table-copy.ts';
import { byKey } from './torn-copy.ts';

type Item = TableCopy[number];

/** A change that has not come to a table: the item, or null for its removal. */
type Change = readonly [key: string, item: Item | null];

/**
 * Brings to a table in use what another region wrote before: the changes that its copy had not, unless the item was changed
 * here since. In a seeded order, since items are replicated one by one, with pauses in which the region works on what has come.
 *
 * @param copy as the table was when it was taken over
 * @param home of the other region
 * @returns how many have come
 */
export async function replicateLate(
  client: DynamoDBClient,
  { table, copy, home }: { readonly table: string; readonly copy: TableCopy; readonly home: TableCopy },
  random: Random,
  pause: () => Promise<void>,
): Promise<number> {
  const [then, now] = [byKey(copy), byKey(await copyTable(client, table))];
  const isUntouched = ([key]: Change) => isDeepStrictEqual(then.get(key), now.get(key));
  const changes = changesTo(then, byKey(home)).filter(isUntouched);
  const order = changes.map((change) => [random.below(1_000_000), change] as const);
  for (const [, change] of order.toSorted(([a], [b]) => a - b)) {
    await apply(client, table, change);
    if (random.below(5) === 0) await pause();
  }
  return changes.length;
}

/** Brings a table that nobody writes in line with another one. */
export async function replicateAll(
  client: DynamoDBClient,
  { table, from }: { readonly table: string; readonly from: TableCopy },
): Promise<void> {
  const changes = changesTo(byKey(await copyTable(client, table)), byKey(from));
  for (const change of changes) await apply(client, table, change);
}

function changesTo(old: ReadonlyMap<string, Item>, recent: ReadonlyMap<string, Item>): Change[] {
  return [...new Set([...old.keys(), ...recent.keys()])]
    .filter((key) => !isDeepStrictEqual(old.get(key), recent.get(key)))
    .toSorted()
    .map((key) => [key, recent.get(key) ?? null]);
}

async function apply(client: DynamoDBClient, table: string, [key, item]: Change): Promise<void> {
  if (item) {
    await client.send(new PutItemCommand({ TableName: table, Item: item }));
    return;
  }
  const [pk, sk] = JSON.parse(key) as [string, string];
  await client.send(new DeleteItemCommand({ TableName: table, Key: { pk: { S: pk }, sk: { S: sk } } }));
}
