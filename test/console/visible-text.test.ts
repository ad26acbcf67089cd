/** Text of strangers in the console. */
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../console/src/kit/visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['a mark that turns the text', 'invoice\u202Efdp.exe', 'invoice[U+202E]fdp.exe'],
    ['isolates', 'a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
    ['zero-width characters', 'pay\u200bpal\ufeff', 'pay[U+200B]pal[U+FEFF]'],
    ['joiners among Latin letters', 'pay\u200dpal\u200c', 'pay[U+200D]pal[U+200C]'],
    ['tag characters', 'hi\u{e0041}', 'hi[U+E0041]'],
    ['controls and line separators', 'a\u0007b\u2028c', 'a[U+0007]b[U+2028]c'],
  ])('shows %s', (_, text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });

  it.each(['👩‍👩‍👧 family', '❤️', 'می‌خواهم', 'Zoë 東京 ‏'.slice(0, 6)])('leaves %s as it is', (text) => {
    expect(visibleText(text)).toBe(text);
  });
});
