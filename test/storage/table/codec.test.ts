import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import type { EmailId } from '../../../lib/core/ids.ts';
import {
  CorruptItem,
  codec,
  flag,
  id,
  knownAs,
  list,
  named,
  nullable,
  number,
  object,
  oneOf,
  optional,
  secondsAsMs,
  sortKey,
  sparseList,
  text,
  withDefault,
} from '../../../lib/storage/table/codec.ts';

interface Note {
  readonly id: EmailId;
  readonly title: string;
  readonly size: number;
  readonly isRead: boolean;
  readonly color: 'red' | 'blue';
  readonly author: { readonly name: string | null };
  readonly tags: readonly string[];
  readonly labels: readonly string[];
  readonly parent: EmailId | null;
  readonly revision: number;
  readonly expiresAt: number;
  readonly hint?: string;
}

const noteCodec = codec<Note>('note', {
  id: sortKey(id('eml'), 'NOTE#'),
  title: named('t', text),
  size: number,
  isRead: flag,
  color: oneOf(['red', 'blue']),
  author: object<Note['author']>({ name: nullable(text) }),
  tags: list(text),
  labels: sparseList(text),
  parent: nullable(id('eml')),
  revision: withDefault(number, 0),
  expiresAt: secondsAsMs,
  hint: optional(text),
});

const note: Note = {
  id: newId('eml'),
  title: 'A',
  size: 3,
  isRead: false,
  color: 'blue',
  author: { name: null },
  tags: [],
  labels: [],
  parent: null,
  revision: 2,
  expiresAt: 7_000,
};

const item = { pk: 'p', sk: `NOTE#${note.id}`, ...noteCodec.encode(note) };

describe('a codec', () => {
  it('returns the record when it decodes what it encoded', () => {
    expect(noteCodec.decode(item)).toEqual(note);
    const full: Note = { ...note, author: { name: 'B' }, labels: ['x'], parent: newId('eml'), hint: 'h' };
    expect(noteCodec.decode({ ...item, ...noteCodec.encode(full) })).toEqual(full);
  });

  it('stores no key, null, empty sparse list or absent property', () => {
    const stored = Object.entries(noteCodec.encode(note)).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(stored)).toEqual({
      t: 'A',
      size: 3,
      isRead: false,
      color: 'blue',
      author: { name: undefined },
      tags: [],
      revision: 2,
      expiresAt: 7,
    });
  });

  it('reads the default when the attribute is absent', () => {
    expect(noteCodec.decode({ ...item, revision: undefined }).revision).toBe(0);
  });

  it.each([
    ['size', '3', 'a number'],
    ['t', 3, 'a string'],
    ['isRead', 'yes', 'a boolean'],
    ['color', 'green', 'one of red, blue'],
    ['tags', 'x', 'a list'],
    ['tags', [1], 'a string'],
    ['author', null, 'a map'],
    ['author', { name: 1 }, 'a string'],
    ['parent', 'thr_1', 'an id of eml'],
    ['sk', 'OTHER#1', 'an id of eml'],
  ])('throws CorruptItem without the value when %s is %j', (attribute, value, expected) => {
    const decode = () => noteCodec.decode({ ...item, [attribute]: value });
    expect(decode).toThrow(CorruptItem);
    expect(decode).toThrow(`item of kind note: ${attribute} is not ${expected}`);
  });
});

describe('a value that the previous release does not know', () => {
  interface Door {
    readonly state: 'open' | 'closed' | 'ajar';
    readonly keys: readonly string[] | null;
  }
  const known = codec<Door>('door', {
    state: knownAs(oneOf(['open', 'closed', 'ajar']), (state) => (state === 'ajar' ? 'closed' : state)),
    keys: knownAs(nullable(list(text)), (keys) => (keys && keys.length > 1 ? null : keys)),
  });
  const older = codec<Door>('door', { state: oneOf(['open', 'closed']), keys: nullable(list(text)) });
  const stored = (door: Door) => JSON.parse(JSON.stringify({ pk: 'D', sk: 'D', ...known.encode(door) }));
  const ajar: Door = { state: 'ajar', keys: ['a', 'b'] };

  it('is stored beside one that it does, and read by both', () => {
    expect(stored(ajar)).toEqual({
      pk: 'D',
      sk: 'D',
      state: 'closed',
      state_new: 'ajar',
      keys_new: ['a', 'b'],
    });
    expect(known.decode(stored(ajar))).toEqual(ajar);
    expect(older.decode(stored(ajar))).toEqual({ state: 'closed', keys: null });
  });

  it('leaves other values as they were', () => {
    const open: Door = { state: 'open', keys: ['a'] };
    expect(stored(open)).toEqual({ pk: 'D', sk: 'D', ...open });
    expect(known.decode(stored(open))).toEqual(open);
  });

  it('gives way to what the previous release has written since', () => {
    const changed = { ...stored(ajar), state: 'open', keys: ['c'] };
    expect(known.decode(changed)).toEqual({ state: 'open', keys: ['c'] });
  });

  it('goes when a part is changed to another value', () => {
    expect(known.part({ state: 'open' })).toEqual({ state: 'open', state_new: undefined });
    expect(known.part({ state: 'ajar' })).toEqual({ state: 'closed', state_new: 'ajar' });
    expect(known.part({})).toEqual({});
  });
});
