/**
 * Capacity units of each item and index entry that a call touches, from their sizes (DynamoDB developer guide, "DynamoDB read and write
 * operations"). DynamoDB Local reports no keys, and reports transactions wrongly: it counts each write once
 * (awslabs/amazon-dynamodb-local-samples#31) and doubles index writes.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Image = Readonly<Record<string, AttributeValue>>;

/** The parts of a table that determine the cost of a write. */
export interface TableShape {
  /** Names of the key attributes, the partition key first. */
  readonly keys: readonly string[];
  readonly indexes: readonly IndexShape[];
  /** Name of the attribute with the time at which an item expires; null: items do not. */
  readonly expiry: string | null;
}

export interface IndexShape {
  readonly name: string;
  readonly keys: readonly string[];
  /** null: every attribute. */
  readonly projected: readonly string[] | null;
}

/** What a call consumed of one item or index entry; of a Query, of one partition. */
export interface ConsumedUnits {
  /** Name of the index; null: the table. */
  readonly index: string | null;
  readonly partition: string;
  /** Empty for a Query. */
  readonly sort: string;
  readonly units: number;
  /** By how much a write changed the stored bytes, with the overhead of an item. */
  readonly grownBytes?: number;
  /** Whether the item that is written expires (Time to Live). */
  readonly expires?: boolean;
}

/** A partition of the table, or of an index. */
export type Place = Pick<ConsumedUnits, 'index' | 'partition'>;

/** A partition without units. */
export interface Throttled extends Place {
  /** `TableWriteKeyRangeThroughputExceeded`, as `ThrottlingReason` names it. */
  readonly reason: string;
}

export interface ItemWrite {
  readonly key: Image;
  /** null: there is no such item. */
  readonly before: Image | null;
  readonly after: Image | null;
  readonly transacted: boolean;
}

const kilobyte = 1024;
const readBytes = 4 * kilobyte;

/** A write costs the units of the larger image, twice in a transaction; an index once. */
export function consumedByWrite(
  { key, before, after, transacted }: ItemWrite,
  shape: TableShape,
): ConsumedUnits[] {
  const own = Math.max(writeUnits(before), writeUnits(after), 1);
  const all: ConsumedUnits[] = [
    {
      index: null,
      ...placeOf(key, shape.keys),
      units: transacted ? 2 * own : own,
      grownBytes: storedBytes(after) - storedBytes(before),
    },
    ...shape.indexes.flatMap((index) => consumedInIndex(before, after, index)),
  ];
  const expires = shape.expiry !== null && shape.expiry in (after ?? before ?? {});
  return expires ? all.map((one) => ({ ...one, expires })) : all;
}

/** A read of one item. @param times 0.5: eventually consistent; 1: consistent; 2: transactional */
export function consumedByRead(
  key: Image,
  found: Image | null,
  times: 0.5 | 1 | 2,
  shape: Pick<TableShape, 'keys'>,
): ConsumedUnits {
  const units = Math.max(1, Math.ceil((found ? sizeOf(found) : 0) / readBytes));
  return { index: null, ...placeOf(key, shape.keys), units: times * units };
}

/** A changed index key costs a deletion and a write; an unchanged entry costs nothing. */
function consumedInIndex(before: Image | null, after: Image | null, index: IndexShape): ConsumedUnits[] {
  const [old, current] = [entryOf(before, index), entryOf(after, index)];
  const consumed = (entry: Image, units: number, grownBytes: number): ConsumedUnits => ({
    index: index.name,
    ...placeOf(entry, index.keys),
    units,
    grownBytes,
  });
  const text = (entry: Image | null, names: readonly string[]) =>
    JSON.stringify(names.map((name) => entry?.[name]));
  if (text(old, index.keys) !== text(current, index.keys)) {
    return [
      ...(old ? [consumed(old, writeUnits(old), -storedBytes(old))] : []),
      ...(current ? [consumed(current, writeUnits(current), storedBytes(current))] : []),
    ];
  }
  const names = Object.keys({ ...old, ...current }).sort();
  if (!old || !current || text(old, names) === text(current, names)) return [];
  const units = Math.max(writeUnits(old), writeUnits(current));
  return [consumed(current, units, storedBytes(current) - storedBytes(old))];
}

function placeOf(image: Image, [partition = '', sort = '']: readonly string[]) {
  return { partition: keyText(image[partition]), sort: keyText(image[sort]) };
}

/** A key attribute as text. */
export function keyText(value: AttributeValue | undefined): string {
  return String(value?.S ?? value?.N ?? value?.B ?? '');
}

function writeUnits(image: Image | null): number {
  return image ? Math.ceil(sizeOf(image) / kilobyte) : 0;
}

/** Of an item or an index entry beside its attributes ("Secondary indexes: storage considerations" in the DynamoDB developer guide). */
const overheadBytes = 100;

function storedBytes(image: Image | null): number {
  return image ? sizeOf(image) + overheadBytes : 0;
}

function entryOf(image: Image | null, { keys, projected }: IndexShape): Image | null {
  if (!image || keys.some((name) => !(name in image))) return null;
  if (!projected) return image;
  return Object.fromEntries(Object.entries(image).filter(([name]) => projected.includes(name)));
}

/** Bytes of an item (DynamoDB developer guide, "DynamoDB item sizes and formats"). */
export function sizeOf(image: Image): number {
  return Object.entries(image).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value),
    0,
  );
}

/** Overhead of a list or map; each member adds one byte. */
const containerBytes = 3;

function bytesOf(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  // Base64 on the wire.
  if (value.B !== undefined) return Buffer.byteLength(String(value.B), 'base64');
  if (value.L !== undefined) return value.L.reduce((sum, one) => sum + 1 + bytesOf(one), containerBytes);
  if (value.M !== undefined) return containerBytes + Object.keys(value.M).length + sizeOf(value.M);
  if (value.SS !== undefined) return value.SS.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  if (value.NS !== undefined) return value.NS.reduce((sum, one) => sum + numberBytes(one), 0);
  if (value.BS !== undefined)
    return value.BS.reduce((sum, one) => sum + Buffer.byteLength(String(one), 'base64'), 0);
  // BOOL and NULL.
  return 1;
}

/** One byte per two significant digits, plus one. */
function numberBytes(text: string): number {
  const digits = text
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1;
}
