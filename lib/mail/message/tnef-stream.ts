/** The attributes and properties of a TNEF stream ([MS-OXTNEF] 2.1.3), little-endian. */
import { bufferOf } from '../text/octets.ts';

const signature = 0x223e9f78;
/** Signature and key. */
const streamHeaderBytes = 6;
/** Level, tag and length. */
const attributeHeaderBytes = 9;
const checksumBytes = 2;

export interface TnefAttribute {
  /** Type in the upper 16 bits, id in the lower. */
  readonly tag: number;
  readonly data: Buffer;
}

/** A MAPI property with a single value, or the first of several. */
export interface MapiProperty {
  readonly type: number;
  readonly id: number;
  readonly data: Buffer;
}

export function isTnef(content: Uint8Array): boolean {
  const bytes = bufferOf(content);
  return bytes.length >= streamHeaderBytes && bytes.readUInt32LE(0) === signature;
}

/**
 * The attributes of a stream, in order. Checksums are not compared: damaged data is better than none.
 *
 * @returns isWhole: whether the stream ends after an attribute; false if it is truncated or damaged
 */
export function readAttributes(content: Uint8Array): {
  readonly attributes: readonly TnefAttribute[];
  readonly isWhole: boolean;
} {
  const bytes = bufferOf(content);
  const attributes: TnefAttribute[] = [];
  let at = streamHeaderBytes;
  while (at + attributeHeaderBytes <= bytes.length) {
    const level = bytes[at];
    const tag = bytes.readUInt32LE(at + 1);
    const start = at + attributeHeaderBytes;
    const end = start + bytes.readUInt32LE(at + 5);
    // Level 1 is the message, level 2 an attachment.
    if (level !== 1 && level !== 2) return { attributes, isWhole: false };
    attributes.push({ tag, data: bytes.subarray(start, end) });
    if (end > bytes.length) return { attributes, isWhole: false };
    at = end + checksumBytes;
  }
  return { attributes, isWhole: at >= bytes.length - checksumBytes };
}

/** Property types ([MS-OXCDATA] 2.11.1). */
export const propertyTypes = { object: 0x0d, string8: 0x1e, string: 0x1f, binary: 0x102 } as const;
const multipleValues = 0x1000;
const variableTypes: ReadonlySet<number> = new Set(Object.values(propertyTypes));
/** Bytes of other types; two-byte values are padded to four. */
const fixedBytes: Readonly<Record<number, number>> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const firstNamedId = 0x8000;
const guidBytes = 16;

/** The properties in a list ([MS-OXTNEF] 2.1.3.4), as far as it is well-formed. Each advances the position: linear. */
export function readProperties(list: Buffer): MapiProperty[] {
  const properties: MapiProperty[] = [];
  const count = wordAt(list, 0);
  for (let at = 4, read = 0; read < count && at + 4 <= list.length; read++) {
    const type = list.readUInt16LE(at);
    const id = list.readUInt16LE(at + 2);
    at += 4;
    if (id >= firstNamedId) at = afterName(list, at);
    const single = type & ~multipleValues;
    const size = fixedBytes[single];
    if (size === undefined && !variableTypes.has(single)) return properties;
    const isCounted = size === undefined || type !== single;
    const values = isCounted ? wordAt(list, at) : 1;
    if (isCounted) at += 4;
    for (let value = 0; value < values && at < list.length; value++) {
      const data = valueAt(list, at, size);
      if (value === 0) properties.push({ type: single, id, data: list.subarray(data.from, data.to) });
      at = data.next;
    }
  }
  return properties;
}

/** The position of a value. @param size undefined: written before it */
function valueAt(list: Buffer, at: number, size: number | undefined) {
  const from = size === undefined ? at + 4 : at;
  const length = size ?? wordAt(list, at);
  return { from, to: from + length, next: from + padded(length) };
}

/** The position after the name of a named property: a number, or a string in UTF-16. */
function afterName(list: Buffer, at: number): number {
  const kindAt = at + guidBytes;
  if (wordAt(list, kindAt) === 0) return kindAt + 8;
  return kindAt + 8 + padded(wordAt(list, kindAt + 4));
}

/** Past the end of the list, a number that ends the reading. */
function wordAt(list: Buffer, at: number): number {
  return at + 4 <= list.length ? list.readUInt32LE(at) : list.length;
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}
