/**
 * Codecs between items and typed records. An item kind has one codec; no other code reads an item's attributes.
 *
 * A stored value of another type is a bug or a manual edit: reading it throws `CorruptItem` rather than passing a
 * wrong type on.
 */
import { type Id, type IdPrefix, parseId } from '../../core/ids.ts';

/** The attributes of an item, keys included. */
export type Attributes = Readonly<Record<string, unknown>>;

/** An item whose attributes are not of its kind. The message names the kind and the attribute, never the value. */
export class CorruptItem extends Error {
  constructor(kind: string, attribute: string, expected: string) {
    super(`item of kind ${kind}: ${attribute} is not ${expected}`);
    this.name = 'CorruptItem';
  }
}

class Mismatch extends Error {}

/** For fields of other files. @throws the error that a codec turns into `CorruptItem` */
export const fail = (expected: string): never => mismatch(expected);

function mismatch(expected: string): never {
  throw new Mismatch(expected);
}

/** How one value is stored. `undefined`: the attribute is absent. */
export interface Field<T> {
  read(stored: unknown): T;
  write(value: T): unknown;
  /** The attribute that holds the value; default: the property's own name. */
  readonly attribute?: string;
  /** Part of the key: written by the key builder, not by the codec. */
  readonly isKey?: boolean;
  /** Absent in the item: the property is left out of the record. */
  readonly isOptional?: boolean;
  /** What the previous release reads in place of a value (docs/decisions/0085-values-of-the-previous-release.md). */
  older?(value: T): T;
}

/** The end of the attribute that has a value which the previous release does not know. */
const newEnd = '_new';

export type Fields<T> = { readonly [Name in keyof T]-?: Field<Exclude<T[Name], undefined>> };

export interface Codec<T> {
  /** @throws CorruptItem */
  decode(item: Attributes): T;
  /** Attributes without keys; those to leave out are `undefined`. */
  encode(record: T): Record<string, unknown>;
  /** The attributes of some properties, for a change of them; those to remove are `undefined`. */
  part(properties: Partial<T>): Record<string, unknown>;
}

/** The codec of an item kind. */
export function codec<T extends object>(kind: string, fields: Fields<T>): Codec<T> {
  const entries = entriesOf(fields);
  return {
    decode: (item) =>
      readFields<T>(entries, item, (attribute, error) => {
        if (error instanceof Mismatch) throw new CorruptItem(kind, attribute, error.message);
        throw error;
      }),
    encode: (record) => writeFields(entries, record),
    part: (properties) =>
      writeFields(
        entries.filter(([name]) => name in properties),
        properties,
      ),
  };
}

type Entries = readonly (readonly [string, Field<unknown>])[];

/** Reading and writing go property by property, each with its own field. */
function entriesOf<T extends object>(fields: Fields<T>): Entries {
  return Object.entries(fields) as Entries;
}

function readFields<T>(
  entries: Entries,
  from: Attributes,
  fail: (attribute: string, error: unknown) => never,
): T {
  const record: Record<string, unknown> = {};
  for (const [name, field] of entries) {
    const attribute = field.attribute ?? name;
    const stored = storedIn(from, attribute, field);
    if (field.isOptional && (stored === undefined || stored === null)) continue;
    try {
      record[name] = field.read(stored);
    } catch (error) {
      fail(attribute, error);
    }
  }
  // The fields are checked against T where the codec is made.
  return record as T;
}

/** What an attribute has. A value that this release has written counts while the previous one has not changed what it reads. */
function storedIn(from: Attributes, attribute: string, { older, read, write }: Field<unknown>): unknown {
  const stored = from[attribute];
  const added = older && from[attribute + newEnd];
  if (added === undefined) return stored;
  return JSON.stringify(write(older?.(read(added)))) === JSON.stringify(stored) ? added : stored;
}

function writeFields(entries: Entries, record: object): Record<string, unknown> {
  const values = record as Readonly<Record<string, unknown>>;
  const written: Record<string, unknown> = {};
  for (const [name, field] of entries) {
    if (field.isKey) continue;
    const attribute = field.attribute ?? name;
    const value = values[name];
    const older = value === undefined || !field.older ? value : field.older(value);
    written[attribute] = older === undefined ? undefined : field.write(older);
    if (field.older) written[attribute + newEnd] = older === value ? undefined : field.write(value);
  }
  return written;
}

function primitive<T>(type: 'string' | 'number' | 'boolean', expected: string): Field<T> {
  return {
    // `typeof` has checked the type that the field was made for.
    read: (stored) => (typeof stored === type ? (stored as T) : mismatch(expected)),
    write: (value) => value,
  };
}

export const text = primitive<string>('string', 'a string');
export const number = primitive<number>('number', 'a number');
export const flag = primitive<boolean>('boolean', 'a boolean');

export const bytes: Field<Uint8Array> = {
  read: (stored) => (stored instanceof Uint8Array ? stored : mismatch('bytes')),
  write: (value) => value,
};

/** An id of one resource type. */
export function id<P extends IdPrefix>(prefix: P): Field<Id<P>> {
  return {
    read: (stored) =>
      (typeof stored === 'string' && parseId(prefix, stored)) || mismatch(`an id of ${prefix}`),
    write: (value) => value,
  };
}

/** One of a few strings. */
export function oneOf<const T extends string>(values: readonly T[]): Field<T> {
  return {
    read: (stored) => values.find((value) => value === stored) ?? mismatch(`one of ${values.join(', ')}`),
    write: (value) => value,
  };
}

export function list<T>(of: Field<T>): Field<readonly T[]> {
  return {
    read: (stored) => (Array.isArray(stored) ? stored.map((value) => of.read(value)) : mismatch('a list')),
    write: (values) => values.map((value) => of.write(value)),
  };
}

/** A nested map. */
export function object<T extends object>(fields: Fields<T>): Field<T> {
  const entries = entriesOf(fields);
  return {
    read: (stored) =>
      typeof stored === 'object' && stored !== null
        ? readFields<T>(entries, stored as Attributes, (_, error) => {
            throw error;
          })
        : mismatch('a map'),
    write: (value) => writeFields(entries, value),
  };
}

/** null is stored as an absent attribute. */
export function nullable<T>({ older, ...of }: Field<T>): Field<T | null> {
  return {
    ...of,
    ...(older && { older: (value) => (value === null ? null : older(value)) }),
    read: (stored) => (stored === undefined || stored === null ? null : of.read(stored)),
    write: (value) => (value === null ? undefined : of.write(value)),
  };
}

/** For a property that may be left out of the record. */
export function optional<T>(of: Field<T>): Field<T> {
  return { ...of, isOptional: true };
}

/** An empty list is stored as an absent attribute. */
export function sparseList<T>(of: Field<T>): Field<readonly T[]> {
  const field = list(of);
  return {
    read: (stored) => (stored === undefined ? [] : field.read(stored)),
    write: (values) => (values.length === 0 ? undefined : field.write(values)),
  };
}

/** A set of strings, which DynamoDB adds to and removes from by single updates. It has no empty sets: the attribute is absent. */
export function setOf<T extends string>(of: Field<T>): Field<ReadonlySet<T>> {
  return {
    read: (stored) => new Set(stored instanceof Set ? [...stored].map((value) => of.read(value)) : []),
    write: (values) => (values.size === 0 ? undefined : values),
  };
}

/** false is stored as an absent attribute. */
export const sparseFlag: Field<boolean> = {
  read: (stored) => stored !== undefined && flag.read(stored),
  write: (value) => (value ? true : undefined),
};

/** An absent attribute reads as `value`. */
export function withDefault<T>(of: Field<T>, value: T): Field<T> {
  return { ...of, read: (stored) => (stored === undefined ? value : of.read(stored)) };
}

/** With values that the previous release does not know. @param older what it reads in place of one; any other value itself */
export function knownAs<T>(of: Field<T>, older: (value: T) => T): Field<T> {
  return { ...of, older };
}

/** Another name of the attribute than the property's. */
export function named<T>(attribute: string, of: Field<T>): Field<T> {
  return { ...of, attribute };
}

/** The sort key, or what follows `prefix` in it. */
export function sortKey<T>(of: Field<T>, prefix = ''): Field<T> {
  return {
    read: (stored) =>
      of.read(typeof stored === 'string' && stored.startsWith(prefix) ? stored.slice(prefix.length) : null),
    write: of.write,
    attribute: 'sk',
    isKey: true,
  };
}

/** Unix milliseconds, stored in seconds for TTL ("Using time to live (TTL) in DynamoDB"). */
export const secondsAsMs: Field<number> = {
  read: (stored) => number.read(stored) * 1000,
  write: (value) => Math.floor(value / 1000),
};
