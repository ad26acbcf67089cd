import { describe, expect, it } from 'vitest';
import { compareWords, withoutEscapes, wordsOf } from '../../../scripts/documents/words.ts';

describe('wordsOf', () => {
  it.each([
    ['Price: 1,234.50 €', ['price', '1,234.50', '€']],
    ['a -5 b 3-4 12.5%', ['a', '-5', 'b', '3-4', '12.5', '%']],
    ['ﬁne soft\u00adware', ['fine', 'software']],
    ['東京 to 大阪', ['東', '京', 'to', '大', '阪']],
    ['| Rye | 12 |\n| --- | --- |', ['rye', '12']],
    ['don’t', ["don't"]],
  ])('divides %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('compareWords', () => {
  it('counts words that are missing, invented and out of order', () => {
    expect(
      compareWords({ text: 'one two three four', optional: 'label' }, 'Label: two one three five'),
    ).toEqual({
      known: 4,
      found: 3,
      missing: ['four'],
      read: 5,
      invented: ['five'],
      order: 2 / 3,
    });
  });

  it('counts a word as often as it is known', () => {
    expect(compareWords({ text: 'rye rye oats' }, 'rye oats oats')).toMatchObject({
      found: 2,
      missing: ['rye'],
      invented: ['oats'],
    });
  });

  it('takes another form of a word for the word', () => {
    const known = { text: 'on 2026-03-09', alternatives: { '2026-03-09': ['3/9/2026'] } };
    expect(compareWords(known, 'on 3/9/2026').missing).toEqual([]);
  });
});

describe('withoutEscapes', () => {
  it('removes the backslashes of Markdown alone', () => {
    expect(withoutEscapes('\\# a \\| b C:\\dir')).toBe('# a | b C:\\dir');
  });
});
