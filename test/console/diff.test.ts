import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffPart, diffWords } from '../../console/src/pages/drafts/diff.ts';

const without = (parts: readonly DiffPart[], kind: DiffPart['kind']) =>
  parts
    .filter((part) => part.kind !== kind)
    .map(({ text }) => text)
    .join('');

describe('diffWords', () => {
  it('shows a changed sentence as one change', () => {
    expect(diffWords('It is due on Monday. Please pay.', 'It is due on Friday. No hurry.')).toEqual([
      { kind: 'same', text: 'It is due on ' },
      { kind: 'removed', text: 'Monday. Please pay.' },
      { kind: 'added', text: 'Friday. No hurry.' },
    ]);
  });

  it('has both texts in it, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'word')).map((words) => words.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diffWords(before, after);
        expect([without(parts, 'added'), without(parts, 'removed')]).toEqual([before, after]);
      }),
    );
  });

  it('compares long texts in bounded time', () => {
    const [before, after] = ['a '.repeat(100_000), 'b '.repeat(100_000)];
    const parts = diffWords(before, after);
    expect([without(parts, 'added'), without(parts, 'removed')]).toEqual([before, after]);
  });
});
