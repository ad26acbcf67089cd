/** How the output of a command is compared with the one that a page shows. */
import { describe, expect, it } from 'vitest';
import { blocksOf, walkOf } from '../support/docs/pages.ts';
import { differences, jsonIn, missingLines, readShown } from '../support/docs/shown.ts';

describe('readShown', () => {
  it('leaves out lines of an ellipsis, and the commas before the ends', () => {
    expect(readShown('{\n  "a": [\n    1,\n    …\n  ],\n  …\n}')).toEqual({ a: [1] });
  });

  it('keeps an ellipsis before the entries of a list', () => {
    expect(readShown('{"a": [\n  …\n  1\n]}')).toEqual({ a: ['…', 1] });
  });

  it('throws for an ellipsis beside a value', () => {
    expect(() => readShown('{"a": …}')).toThrow(SyntaxError);
  });
});

describe('differences', () => {
  it.each([
    [
      'an id of the same type',
      'eml_019aa8d2c4ff0123456789abcdef4567',
      'eml_00000000000000000000000000000000',
    ],
    ['another time', '2026-01-31T12:00:00.000Z', '2030-12-01T00:00:01.123Z'],
    ['what an ellipsis stands for', 'whsec_…', 'whsec_a+b='],
    ['further fields', { a: 1 }, { a: 1, b: 2 }],
    ['further entries', [1], [1, 2]],
    ['entries behind an ellipsis in another order', ['…', 2, 1], [0, 1, 2]],
  ])('finds none in %s', (_, shown, actual) => {
    expect(differences(shown, actual)).toEqual([]);
  });

  it.each([
    ['an id of another type', 'eml_019aa8d2c4ff0123456789abcdef4567', 'thr_00000000000000000000000000000000'],
    ['another word', 'queued', 'sent'],
    ['a missing field', { a: null }, {}],
    ['a missing entry', [1, 2], [1]],
    ['an entry that is nowhere', ['…', 3], [1, 2]],
    ['another type', { a: 1 }, [1]],
    ['null', { a: {} }, { a: null }],
    ['another number', 1, 2],
    ['a dot that is not there', 'a.b', 'axb'],
  ])('finds %s', (_, shown, actual) => {
    expect(differences(shown, actual)).toHaveLength(1);
  });
});

describe('jsonIn', () => {
  it('finds the objects between lines of programs', () => {
    expect(jsonIn('{email} ready\n{"a":"}","b":{}}email.received {"c":1}\n')).toEqual([
      { a: '}', b: {} },
      { c: 1 },
    ]);
  });

  it('throws where there is none', () => {
    expect(() => jsonIn('{"a":')).toThrow('no JSON object');
  });
});

describe('missingLines', () => {
  it('are the lines that are absent, or in another order', () => {
    expect(missingLines('b\na', 'a\nb\n')).toEqual(['a']);
    expect(missingLines('evt_… b', 'x\n  evt_1 b\n')).toEqual([]);
  });
});

describe('blocksOf', () => {
  it('takes the indentation of a fence from its lines', () => {
    expect(blocksOf('a.md', '1. text\n\n   ```sh\n   a \\\n     b\n   ```\n')).toEqual([
      { page: 'a.md', line: 4, language: 'sh', text: 'a \\\n  b' },
    ]);
  });

  it('throws for a fence without an end', () => {
    expect(() => blocksOf('a.md', '```sh\na\n')).toThrow('a.md:2');
  });
});

describe('walkOf', () => {
  it('pairs commands with the output behind them, and names programs', () => {
    const { steps, programs } = walkOf(
      'a.md',
      blocksOf('a.md', '```sh\na\n```\n```json\n{}\n```\n```sh\nb\n```\n```js\n// c.mjs\nd\n```\n'),
    );
    expect(steps.map(({ commands, shown }) => [commands.text, shown?.text])).toEqual([
      ['a', '{}'],
      ['b', undefined],
    ]);
    expect([...programs]).toEqual([['c.mjs', '// c.mjs\nd']]);
  });
});
