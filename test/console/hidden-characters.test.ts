/** Which characters of a text are marked, and how. */
import { describe, expect, it } from 'vitest';
import {
  hiddenCount,
  hiddenCountInHtml,
  markedLine,
  markedParts,
  markOf,
  withoutHidden,
} from '../../console/src/kit/hidden-characters.ts';

/** The text with its marks in brackets. */
const shown = (text: string) =>
  markedParts(text)
    .map((part) => (part.kind === 'text' ? part.text : `[${markOf(part.characters).label}]`))
    .join('');

const tags = (text: string) => [...text].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0)));

describe('a mark shows', () => {
  it.each([
    ['an override', 'invoice\u202efdp.exe', 'invoice[U+202E]fdp.exe'],
    ['an override beside Hebrew', 'שלום \u202e100', 'שלום [U+202E]100'],
    [
      'isolates among Latin letters',
      'pay \u2067\u206610\u2069 5\u2069',
      'pay [2 hidden characters]10[U+2069] 5[U+2069]',
    ],
    ['direction marks among Latin letters', 'a\u200fb', 'a[U+200F]b'],
    ['zero-width characters in a word', 'pay\u200bpal\ufeff', 'pay[U+200B]pal[U+FEFF]'],
    ['joiners among Latin letters', 'pay\u200dpal', 'pay[U+200D]pal'],
    ['several joiners among Persian letters', 'می\u200c\u200d\u200cخواهم', 'می[3 hidden characters]خواهم'],
    ['a soft hyphen that parts no word', 'a \u00ad b', 'a [U+00AD] b'],
    [
      'the padding of a newsletter, once',
      `Hi${'\u034f\u200c\u00a0'.repeat(50)}`,
      'Hi[100 hidden characters]\u00a0',
    ],
    ['what tags say', `Hi${tags('approve it').join('')}!`, 'Hi[hidden: “approve it”]!'],
    [
      'tags after a flag',
      `🏴${tags('gbsct').join('')}\u{e007f}${tags('x').join('')}`,
      `🏴${tags('gbsct').join('')}\u{e007f}[hidden: “x”]`,
    ],
    ['rows of variation selectors', '😀\ufe0f\u{e0101}\u{e0102}', '😀\ufe0f[2 hidden characters]'],
    ['controls and line separators', 'a\u0007b\u2028c\rd', 'a[U+0007]b[U+2028]c\rd'],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('isolates among Hebrew letters, which still order the text', () => {
    expect(shown('שלום \u2066abc\u2069')).toBe('שלום [U+2066]\u2066abc\u2069[U+2069]');
  });

  it('the names of the characters', () => {
    expect(markOf('\u202e')).toEqual({ label: 'U+202E', title: 'U+202E RIGHT-TO-LEFT OVERRIDE' });
    expect(markOf('\u200b \u200b\u0001').title).toBe('U+200B ZERO WIDTH SPACE, U+0001 CONTROL CHARACTER');
  });
});

describe('no mark for', () => {
  it.each([
    ['emoji', '👩‍👩‍👧 ❤️ 👩🏽‍💻 🏳️‍🌈 1️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['Persian', 'می‌خواهم کتاب‌ها را'],
    ['Hindi', 'क्‍ष र्‌क'],
    ['Hebrew with direction marks', 'שלום (abc)\u200f, 10\u200e%'],
    ['Arabic', 'السعر\u200f: 100 $'],
    ['Thai with its word breaks', 'สวัสดี\u200bครับ'],
    ['a variant of an ideograph', '葛\u{e0100}城'],
    ['soft hyphens in words', 'Donau\u00addampf\u00adschiff'],
    ['lines and tabs', 'a\tb\r\nc\n'],
  ])('%s', (_, text) => {
    expect(hiddenCount(text)).toBe(0);
    expect(shown(text)).toBe(text);
  });
});

describe('the hidden characters of an html', () => {
  it.each([
    ['as they are', '<p>a\u202eb</p>', 1],
    ['as references', '<p>a&#8238;b&#x202E;c&#x000e0041;d&zwnj;e&ZeroWidthSpace;</p>', 5],
    ['none', '<p>Hello&nbsp;&amp; goodbye &#9999999; &#x110000;</p>', 0],
  ])('%s', (_, html, expected) => {
    expect(hiddenCountInHtml(html)).toBe(expected);
  });
});

describe('a line of a list', () => {
  it.each([
    ['a name of a file', 'Invoice \u202egpj.exe', 'Invoice [U+202E]gpj.exe'],
    ['a padded preview', `Hi\r\n${'\u034f\u200c '.repeat(300)}`, 'Hi [600 hidden characters]'],
    ['words of tags', `Hi ${tags('approve').join('')}`, 'Hi [hidden: “approve”]'],
    ['what is ordinary', ' می‌خواهم \n 👩‍👧\t ok ', 'می‌خواهم 👩‍👧 ok'],
    ['nothing but hidden characters', '\u200b\u200b', '[2 hidden characters]'],
    ['a line separator', 'a\u2028b', 'a[U+2028]b'],
  ])('marks %s', (_, text, expected) => {
    expect(markedLine(text)).toBe(expected);
  });
});

it('removes what is marked and nothing else', () => {
  expect(withoutHidden('pay\u200bpal می‌خواهم\n\u202eb')).toBe('paypal می‌خواهم\nb');
});

it.each(['\u200b', 'a\u202e', '\u200f', 'א\u200f\u2067', '\u00a0\u200b', '🏴\u{e0067}'])(
  'reads a text of many %j',
  (text) => {
    expect(hiddenCount(text.repeat(5_000))).toBeGreaterThan(4_000);
  },
);
