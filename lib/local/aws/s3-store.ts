/** Storage of S3 objects: in memory, or as files that outlive the process. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
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

export interface ObjectStore {
  createBucket(bucket: string): void;
  hasBucket(bucket: string): boolean;
  put(
    bucket: string,
    object: Pick<StoredObject, 'key' | 'body' | 'headers' | 'modifiedAt'>,
  ): Promise<ObjectHead>;
  head(bucket: string, key: string): ObjectHead | null;
  get(bucket: string, key: string): Promise<StoredObject | null>;
  remove(bucket: string, key: string): Promise<void>;
  /** Replaces the tags of an object that exists. */
  tag(bucket: string, key: string, tags: Readonly<Record<string, string>>): Promise<void>;
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

  function bucketOf(bucket: string): Map<string, Entry> {
    const found = buckets.get(bucket);
    if (!found) throw new Error(`S3: bucket ${bucket} does not exist`);
    return found;
  }

  function find(bucket: string, key: string): Entry | undefined {
    const entry = bucketOf(bucket).get(key);
    return entry && isExpired(bucket, entry.head) ? undefined : entry;
  }

  async function drop(entry: Entry | undefined): Promise<void> {
    if (typeof entry?.body === 'string') await rm(entry.body, { force: true });
  }

  return {
    createBucket(bucket) {
      if (buckets.has(bucket)) return;
      buckets.set(bucket, directory ? load(join(directory, bucket)) : new Map());
    },
    hasBucket: (bucket) => buckets.has(bucket),
    async put(bucket, { key, body, headers, modifiedAt }) {
      const entries = bucketOf(bucket);
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      const head: ObjectHead = { key, bytes: body.length, etag, modifiedAt, headers };
      const entry = { head, body: directory ? await save(join(directory, bucket), head, body) : body };
      const before = entries.get(key);
      entries.set(key, entry);
      await drop(before);
      return head;
    },
    head: (bucket, key) => find(bucket, key)?.head ?? null,
    async get(bucket, key) {
      const entry = find(bucket, key);
      if (!entry) return null;
      return {
        ...entry.head,
        body: typeof entry.body === 'string' ? await readFile(entry.body) : entry.body,
      };
    },
    async remove(bucket, key) {
      const entry = bucketOf(bucket).get(key);
      bucketOf(bucket).delete(key);
      if (entry && directory) await rm(indexFile(join(directory, bucket), key), { force: true });
      await drop(entry);
    },
    async tag(bucket, key, tags) {
      const entry = find(bucket, key);
      if (!entry) return;
      const head = { ...entry.head, tags };
      bucketOf(bucket).set(key, { ...entry, head });
      if (typeof entry.body === 'string' && directory) {
        await writeIndex(join(directory, bucket), head, basename(entry.body));
      }
    },
    list: (bucket, prefix) =>
      [...bucketOf(bucket).values()]
        .map((entry) => entry.head)
        .filter((head) => head.key.startsWith(prefix) && !isExpired(bucket, head))
        .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))),
  };
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
  await writeIndex(folder, head, `${name}.body`);
  return file;
}

async function writeIndex(folder: string, head: ObjectHead, file: string): Promise<void> {
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
  return entries;
}
