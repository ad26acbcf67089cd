/**
 * Capacity units of transactional writes, which DynamoDB Local reports wrongly: it counts each write once
 * (awslabs/amazon-dynamodb-local-samples#31) and doubles index writes.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Image = Readonly<Record<string, AttributeValue>>;

/** The parts of a secondary index that determine the cost of a write. */
export interface IndexShape {
  readonly keys: readonly string[];
  /** null: every attribute. */
  readonly projected: readonly string[] | null;
}

const kilobyte = 1024;

/** Write units of one write in a transaction: twice the table's, once those of the indexes. */
export function transactedUnits(
  before: Image | null,
  after: Image | null,
  indexes: readonly IndexShape[],
): number {
  const own = Math.max(writeUnits(before), writeUnits(after), 1);
  return 2 * own + indexes.reduce((sum, index) => sum + indexUnits(before, after, index), 0);
}

function writeUnits(image: Image | null): number {
  return image ? Math.ceil(sizeOf(image) / kilobyte) : 0;
}

/** A changed index key costs a deletion and a write; an unchanged entry costs nothing. */
function indexUnits(before: Image | null, after: Image | null, index: IndexShape): number {
  const [old, current] = [entryOf(before, index), entryOf(after, index)];
  const text = (entry: Image | null, names: readonly string[]) =>
    JSON.stringify(names.map((name) => entry?.[name]));
  const hasMoved = text(old, index.keys) !== text(current, index.keys);
  if (hasMoved) return writeUnits(old) + writeUnits(current);
  const names = Object.keys({ ...old, ...current }).sort();
  return text(old, names) === text(current, names) ? 0 : Math.max(writeUnits(old), writeUnits(current));
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
