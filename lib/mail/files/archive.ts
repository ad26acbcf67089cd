/** ZIP archives of office documents: parts are read one by one within the limits. */
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { bufferOf } from '../text/octets.ts';
import { extractionLimits } from './limits.ts';
import { passwordWarning, Unreadable } from './reader.ts';

export interface Archive {
  /** In the order of the central directory. */
  readonly names: readonly string[];
  /**
   * The bytes of a part; null if there is none of that name.
   *
   * @throws Unreadable if it is damaged, encrypted or over the limits
   */
  read(name: string): Promise<Buffer | null>;
}

type Limits = Pick<
  typeof extractionLimits,
  'archiveEntries' | 'expandedBytes' | 'expansionRatio' | 'harmlessBytes'
>;

/** @throws Unreadable if the bytes are not an archive, or have too many parts */
export async function openArchive(bytes: Uint8Array, limits: Limits = extractionLimits): Promise<Archive> {
  const { zip, entries } = await directoryOf(bytes, limits);
  let expandedBytes = 0;
  return {
    names: [...entries.keys()],
    async read(name) {
      const entry = entries.get(name);
      if (!entry) return null;
      if (entry.isEncrypted()) throw new Unreadable(passwordWarning);
      expandedBytes += entry.uncompressedSize;
      checkExpansion(entry, expandedBytes, limits);
      return await expand(zip, entry);
    },
  };
}

async function directoryOf(
  bytes: Uint8Array,
  limits: Limits,
): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  try {
    const zip = await fromBufferPromise(bufferOf(bytes), { lazyEntries: true, autoClose: false });
    if (zip.entryCount > limits.archiveEntries) {
      throw new Unreadable(`The file has ${zip.entryCount} parts, more than documents have.`);
    }
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/^\//, ''), entry);
    return { zip, entries };
  } catch (error) {
    throw error instanceof Unreadable ? error : damaged(error);
  }
}

/** Checks the declared sizes; `expand` enforces them. */
function checkExpansion(
  { compressedSize, uncompressedSize }: Entry,
  expandedBytes: number,
  limits: Limits,
): void {
  const isBomb =
    uncompressedSize > limits.harmlessBytes && uncompressedSize > compressedSize * limits.expansionRatio;
  if (isBomb || expandedBytes > limits.expandedBytes) {
    throw new Unreadable('The file expands to more than can be read safely.');
  }
}

async function expand(zip: ZipFile, entry: Entry): Promise<Buffer> {
  let content: Buffer;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    content = Buffer.concat(await stream.toArray());
  } catch (error) {
    throw damaged(error);
  }
  if (crc32(content) !== entry.crc32) throw damaged(new Error(`checksum of ${entry.fileName}`));
  return content;
}

function damaged(cause: unknown): Unreadable {
  return new Unreadable('The file is damaged or incomplete.', cause);
}
