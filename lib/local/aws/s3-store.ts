/**
 * Storage of S3 objects: in memory, or as files that outlive the process. Of versions it has what the last deletion of a key has
 * taken, until the process ends.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** The metadata of an object. */
export interface ObjectHead {
  readonly key: string;
  readonly bytes: number;
  /** Quoted MD5. */
  readonly etag: string;
  /** Unix milliseconds, local clock. */
  readonly modifiedAt: number;
  /** `content-type`, `content-disposition`, `cache-control`, … and `x-amz-meta-*`, lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: it has none. */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface StoredObject extends ObjectHead {
  readonly body: Buffer;
}

/** The delete marker of a key without a current version. */
export interface DeleteMarker {
  readonly key: string;
  readonly versionId: string;
  /** Unix milliseconds, local clock. */
  readonly deletedAt: number;
}

export interface ObjectStore {
  createBucket(bucket: string): void;
  hasBucket(bucket: string): boolean;
  put(
    bucket: string,
    object: Pick<StoredObject, 'key' | 'body' | 'headers' | 'modifiedAt'>,
  ): Promise<ObjectHead>;
  head(bucket: string, key: string): ObjectHead | null;
  get(bucket: string, key: string): Promise<StoredObject | null>;
  /** Replaces the tags of an object that exists. */
  tag(bucket: string, key: string, tags: Readonly<Record<string, string>>): Promise<void>;
  /** Puts a delete marker in the place of the object. @param deletedAt Unix milliseconds */
  remove(bucket: string, key: string, deletedAt: number): Promise<void>;
  /** Removes a delete marker: the object is there again. Another marker, or none, changes nothing. */
  bringBack(bucket: string, key: string, versionId: string): Promise<void>;
  /** The keys without a current version, ordered by key. */
  listDeleted(bucket: string, prefix: string): readonly DeleteMarker[];
  /** Ordered by UTF-8 bytes of the keys, as in S3. */
  list(bucket: string, prefix: string): readonly ObjectHead[];
}

/** An indexed object: its bytes, or the path of the file with its bytes. */
interface Entry {
  readonly head: ObjectHead;
  readonly body: Buffer | string;
}

/**
 * @param directory default: in memory. Each object is a body file and a JSON file with its metadata
 * @param isExpired whether an object is to be taken for removed
 */
export function createObjectStore(
  directory?: string,
  isExpired: (bucket: string, head: ObjectHead) => boolean = () => false,
): ObjectStore {
  const buckets = new Map<string, Map<string, Entry>>();
  const deleted = new Map<string, Map<string, { readonly marker: DeleteMarker; readonly entry: Entry }>>();

  function bucketOf(bucket: string): Map<string, Entry> {
    const found = buckets.get(bucket);
    if (!found) throw new Error(`S3: bucket ${bucket} does not exist`);
    return found;
  }

  function find(bucket: string, key: string): Entry | undefined {
    const entry = bucketOf(bucket).get(key);
    return entry && isExpired(bucket, entry.head) ? undefined : entry;
  }

  return {
    createBucket(bucket) {
      if (buckets.has(bucket)) return;
      buckets.set(bucket, directory ? load(join(directory, bucket)) : new Map());
      deleted.set(bucket, new Map());
    },
    hasBucket: (bucket) => buckets.has(bucket),
    async put(bucket, { key, body, headers, modifiedAt }) {
      const entries = bucketOf(bucket);
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      const head: ObjectHead = { key, bytes: body.length, etag, modifiedAt, headers };
      const entry = { head, body: directory ? await save(join(directory, bucket), head, body) : body };
      const replaced = [entries.get(key), deleted.get(bucket)?.get(key)?.entry];
      entries.set(key, entry);
      deleted.get(bucket)?.delete(key);
      await Promise.all(replaced.map(drop));
      return head;
    },
    head: (bucket, key) => find(bucket, key)?.head ?? null,
    async get(bucket, key) {
      const entry = find(bucket, key);
      return entry ? await withBody(entry) : null;
    },
    async remove(bucket, key, deletedAt) {
      const entry = bucketOf(bucket).get(key);
      if (!entry) return;
      bucketOf(bucket).delete(key);
      deleted.get(bucket)?.set(key, { marker: { key, versionId: randomUUID(), deletedAt }, entry });
      if (directory) await rm(indexFile(join(directory, bucket), key), { force: true });
    },
    async tag(bucket, key, tags) {
      const entry = find(bucket, key);
      if (!entry) return;
      const tagged = { ...entry, head: { ...entry.head, tags } };
      bucketOf(bucket).set(key, tagged);
      if (directory) await saveEntry(join(directory, bucket), tagged);
    },
    async bringBack(bucket, key, versionId) {
      const found = deleted.get(bucket)?.get(key);
      if (found?.marker.versionId !== versionId) return;
      deleted.get(bucket)?.delete(key);
      if (directory) await saveEntry(join(directory, bucket), found.entry);
      bucketOf(bucket).set(key, found.entry);
    },
    listDeleted: (bucket, prefix) =>
      ofPrefix(
        Array.from(deleted.get(bucket)?.values() ?? [], ({ marker }) => marker),
        prefix,
      ),
    list: (bucket, prefix) =>
      ofPrefix(
        [...bucketOf(bucket).values()].map(({ head }) => head).filter((head) => !isExpired(bucket, head)),
        prefix,
      ),
  };
}

async function drop(entry: Entry | undefined): Promise<void> {
  if (typeof entry?.body === 'string') await rm(entry.body, { force: true });
}

const withBody = async ({ head, body }: Entry): Promise<StoredObject> => ({
  ...head,
  body: typeof body === 'string' ? await readFile(body) : body,
});

/** Stores the metadata of an object whose body is in a file. */
async function saveEntry(folder: string, { head, body }: Entry): Promise<void> {
  if (typeof body === 'string') await saveIndex(folder, head, basename(body));
}

function ofPrefix<T extends { readonly key: string }>(all: readonly T[], prefix: string): T[] {
  return all
    .filter(({ key }) => key.startsWith(prefix))
    .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
}

/** Named by the key's hash: keys may be longer than file names and contain any character. */
function indexFile(folder: string, key: string): string {
  return join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
}

/** Writes the body, then replaces the index file atomically. */
async function save(folder: string, head: ObjectHead, body: Buffer): Promise<string> {
  const name = randomUUID();
  const file = join(folder, `${name}.body`);
  await writeFile(file, body);
  await saveIndex(folder, head, `${name}.body`);
  return file;
}

async function saveIndex(folder: string, head: ObjectHead, file: string): Promise<void> {
  const draft = join(folder, `${randomUUID()}.draft`);
  await writeFile(draft, JSON.stringify({ ...head, file }));
  await rename(draft, indexFile(folder, head.key));
}

function load(folder: string): Map<string, Entry> {
  mkdirSync(folder, { recursive: true });
  const entries = new Map<string, Entry>();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.json')) continue;
    const { file, ...head }: ObjectHead & { file: string } = JSON.parse(
      readFileSync(join(folder, name), 'utf8'),
    );
    entries.set(head.key, { head, body: join(folder, file) });
  }
  const bodies = new Set([...entries.values()].map(({ body }) => body));
  // Of objects that were deleted.
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.body') && !bodies.has(join(folder, name))) rmSync(join(folder, name));
  }
  return entries;
}
