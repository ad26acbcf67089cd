import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOfHtml } from '../../../lib/mail/html/html-outline.ts';
import { textOfHtml } from '../../../lib/mail/html/html-text.ts';
import { snippet } from '../../../lib/mail/text/snippet.ts';
import { expectLinear } from '../../support/growth.ts';

describe('textOfHtml', () => {
  it.each([
    ['paragraphs', '<p>one</p><p>two<br>three</p>', 'one\n\ntwo\nthree'],
    [
      'links with their target',
      '<a href="https://a.example/x?b=1&amp;c=2">see</a>',
      'see <https://a.example/x?b=1&c=2>',
    ],
    [
      'links that are their own target once',
      '<a href="https://a.example">https://a.example</a>',
      'https://a.example',
    ],
    [
      'links with a quoted bracket',
      `<a title='>' href='https://a.example'>see</a>`,
      'see <https://a.example>',
    ],
    [
      'lists',
      '<ul><li>one<ul><li>sub</li></ul><li>two</ul><ol><li>a<li>b</ol>',
      '- one\n  - sub\n- two\n\n1. a\n2. b',
    ],
    ['rows of tables', '<table><tr><th>Item<th>Qty<tr><td>Pen<td>3</table>', 'Item Qty\nPen 3'],
    ['tables of layout', '<table><tr><td><p>one</p></td><td><p>two</p></td></tr></table>', 'one\n\ntwo'],
    ['quotes', '<blockquote>one<br>two</blockquote>three', '> one\n> two\n\nthree'],
    ['entities', 'a &lt;b&gt; &amp; &#8364;&nbsp;5', 'a <b> & € 5'],
    ['preformatted text', '<pre>a\n  b</pre>', 'a\n  b'],
    [
      'no styles, scripts, titles, comments or pictures',
      '<title>t</title><style>p{}</style><script>"</p>"</script><!-- c --><![if x]><img alt="i">x',
      'x',
    ],
    ['unclosed script', 'a<script>b', 'a'],
    ['stray signs', '1 < 2 <3 & <', '1 < 2 <3 & <'],
    ['inline tags', 'a<b>b</b><span>c</span><o:p>d</o:p>', 'abcd'],
    ['nothing', '', ''],
  ])('converts %s', (_, html, text) => {
    expect(textOfHtml(html).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it('keeps text when it is nested deeply', () => {
    expect(textOfHtml(`${'<div>'.repeat(10_000)}bottom`)).toBe('bottom');
  });

  it('never throws', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '<!--',
        '-->',
        '"',
        "'",
        '&',
        '<p ',
        '<a href=',
        '<table><tr><td>',
        '</div>',
        '<script',
        '<pre>',
        '\0',
      ),
      fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        (pieces) => typeof textOfHtml(pieces.join('')) === 'string',
      ),
    );
  });

  it.each([
    ['deep nesting', '<div>'],
    ['ends without a beginning', '<div></b>'],
    ['crossed nesting', '<a><p></a>'],
    ['nested rows', '<tr><p>'],
    ['open comments', '<!--'],
    ['open quotes', '<a href="'],
    ['open tags', '<a '],
    ['open scripts', '<script>'],
    ['no-break spaces', '\u00a0'],
  ])('is linear when the html repeats %s', async (_, piece) => {
    await expectLinear((size) => piece.repeat(size), textOfHtml, 700);
  });
});

describe('textOfHtml of html that its text multiplies', () => {
  const repeated = (piece: string) => piece.repeat(Math.floor(2_000_000 / piece.length));

  it.each([
    ['lists in lists', '<ol><li>a'],
    ['quotes in quotes', '<blockquote><p>a'],
    ['rules', '<hr>'],
    ['plain lines', 'a b\n'],
    ['preformatted lines in quotes', '<blockquote><pre>a\n'],
    ['long links', `<a href="${'x'.repeat(500)}">a</a>`],
  ])('returns the beginning, 512 KB at most, when it repeats %s', (_, piece) => {
    const text = textOfHtml(`<p>First</p>${repeated(piece)}`);
    expect(text.startsWith('First')).toBe(true);
    expect(text.length).toBeGreaterThan(100_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(512 * 1024);
  });

  it('is linear in the lines of a deep quote', async () => {
    const html = (size: number) => `${'<blockquote>'.repeat(99)}${'a<br>'.repeat(size)}`;
    await expectLinear(html, textOfHtml, 1000);
  });

  it('keeps all of a long ordinary text', () => {
    const html =
      '<div><ul><li>One item of a list with some words in it</li></ul><p>And a paragraph.</p></div>\n';
    const text = textOfHtml(html.repeat(5000));
    expect(text.match(/And a paragraph\./g)).toHaveLength(5000);
  });
});

describe('outlineOfHtml', () => {
  it('is well nested and at most 100 deep for any html', () => {
    const piece = fc.constantFrom(
      '<div>',
      '</div>',
      '<p>',
      '</p>',
      '<a href="x">',
      '</a>',
      '<td>',
      '<br>',
      'x',
      '<b>',
      '<!-- </div> -->',
      '<p title="</p>">',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
        const open: string[] = [];
        for (const [, end, name = ''] of outlineOfHtml(pieces.join(''), 1e6).matchAll(/<(\/?)([a-z]+)/g)) {
          if (end) expect(open.pop()).toBe(name);
          else if (name !== 'br') open.push(name);
          expect(open.length).toBeLessThanOrEqual(100);
        }
        expect(open).toEqual([]);
      }),
    );
  });

  it('escapes attribute values', () => {
    expect(outlineOfHtml(`<a href='x" onclick="y'>z</a>`, 1e6)).toBe(
      '<a href="x&quot; onclick=&quot;y">z</a>',
    );
  });
});

describe('snippet', () => {
  it.each([
    ['one line', 'a\n\n b\tc ', 'a b c'],
    ['at most 200 characters', 'x'.repeat(500), 'x'.repeat(200)],
    ['no half character', `${'x'.repeat(199)}😀y`, `${'x'.repeat(199)}😀`],
    ['200 code points of emoji', '😀'.repeat(300), '😀'.repeat(200)],
    ['no padding of a preheader', `Sale${'\u200c \u00a0'.repeat(300)}\u034f\u200b now`, 'Sale now'],
    ['joined emoji and words whole', '👨‍👩‍👧 می‌خواهم', '👨‍👩‍👧 می‌خواهم'],
    ['nothing', '', ''],
  ])('returns %s', (_, text, expected) => {
    expect(snippet(text)).toBe(expected);
  });
});
