/** What is stored for a workspace: every item of the table and every object of the buckets. */
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { getObject, putObject } from '../../lib/adapters/objects.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { env } from '../../lib/env.ts';
import { outboxAttribute } from '../../lib/storage/table/keys.ts';
import { type Item, putMany } from '../../lib/storage/table/table.ts';
import { client } from '../../lib/storage/table/table-client.ts';
import { cloud } from './cloud.ts';

/** All items that name one of the workspaces. */
export async function itemsOf(...workspaceIds: readonly WorkspaceId[]): Promise<Item[]> {
  const isOfThem = (text: string) => workspaceIds.some((id) => text.includes(id));
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client().send(
      new ScanCommand({ TableName: env().TABLE_NAME, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...((page.Items ?? []) as Item[]).filter((item) => isOfThem(textOf(item))));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

/** Sets are not JSON. */
const textOf = (item: Item): string =>
  JSON.stringify(item, (_, value: unknown) => (value instanceof Set ? [...value] : value));

/** Items whose keys or attributes have `text`, by their keys. */
export function naming(items: readonly Item[], text: string): string[] {
  return keysOf(items.filter((item) => textOf(item).includes(text)));
}

export function keysOf(items: readonly Item[]): string[] {
  return items.map(({ pk, sk }) => `${pk} ${sk}`).sort();
}

/** The keys of all objects of the content bucket and of the buckets of raw mail, with their bucket. */
export async function objects(): Promise<string[]> {
  const { CONTENT_BUCKET: content, MAIL_REGIONS: regions } = env();
  const raw = regions.map((region) => content.replace(/-content-(\d+).*/, `-raw-mail-$1-${region}`));
  const s3 = new S3Client({ endpoint: cloud().gatewayUrl, region: 'us-east-1', forcePathStyle: true });
  const found: string[] = [];
  for (const bucket of [content, ...raw]) {
    let token: string | undefined;
    do {
      const page = await s3.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: token }));
      found.push(...(page.Contents ?? []).map(({ Key: key }) => `${bucket}/${key}`));
      token = page.NextContinuationToken;
    } while (token);
  }
  s3.destroy();
  return found.sort();
}

/** What is stored of a workspace at a moment, without the messages of changes, which the relay has read. */
export interface Snapshot {
  readonly items: readonly Item[];
  readonly objects: readonly {
    readonly place: { readonly bucket: string; readonly key: string };
    readonly content: Buffer;
  }[];
}

/** @param others objects that are left out */
export async function takeSnapshot(workspaceId: WorkspaceId, others: readonly string[]): Promise<Snapshot> {
  const items = (await itemsOf(workspaceId)).filter(isNoMessage).map((item) => {
    const { [outboxAttribute]: _, ...rest } = item;
    return rest as Item;
  });
  const known = new Set(others);
  const paths = (await objects()).filter((path) => !known.has(path));
  const stored = paths.map(async (path) => {
    const [bucket = '', ...key] = path.split('/');
    const place = { bucket, key: key.join('/') };
    return { place, content: await getObject(place) };
  });
  return { items, objects: await Promise.all(stored) };
}

/** Stores what is gone, or has changed, since a snapshot. */
export async function putBack({ items, objects: files }: Snapshot): Promise<void> {
  await Promise.all([
    putMany(items),
    ...files.map(({ place, content }) => putObject(place, content, 'application/octet-stream')),
  ]);
}

/** Tells whether a workspace, and all objects, are stored as they were before. */
export async function stateOf(workspaceId: WorkspaceId): Promise<string> {
  const items = (await itemsOf(workspaceId)).filter(isNoMessage).map(textOf);
  return [...items.sort(), ...(await objects())].join('\n');
}

const isNoMessage = ({ pk }: Item): boolean => !pk.endsWith('#OUT');
