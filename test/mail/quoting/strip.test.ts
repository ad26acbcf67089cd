import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { strip, stripHtml, stripText } from '../../../lib/mail/quoting/strip.ts';
import { expectLinear } from '../../support/growth.ts';

/** Lines that rules match, and random ones. */
const anyLine = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u200b',
    '> quoted',
    '>> deeper',
    '>',
    'On Tue, Mar 12, 2024 at 10:04 AM, Ann <ann@a.example> wrote:',
    'On Mar 12, 2024, at 10:04 AM, Ann <',
    'ann@a.example> wrote:',
    'wrote:',
    '-----Original Message-----',
    'Begin forwarded message:',
    'From: Ann <ann@a.example>',
    'Sent: Tuesday, March 12, 2024 10:04 AM',
    'To: Bob',
    'Subject: Meeting',
    '________________',
    '-- ',
    '--',
    'Best regards,',
    'Thanks,',
    'Ann Lee',
    '-Ann',
    'ann@a.example',
    '+49 30 123456',
    'Sent from my iPhone',
    'This e-mail is confidential and intended solely for the addressee named above.',
    'PS: one thing more',
    'I will bring the drawings.',
    'And see <https://a.example/',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const anyText = fc
  .tuple(fc.array(anyLine, { maxLength: 30 }), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([lines, feed]) => lines.join(feed));

const anyTag = fc.constantFrom(
  'div',
  'p',
  'b',
  'span class="x"',
  'blockquote',
  'blockquote type="cite"',
  'div class="gmail_quote"',
  'div class="gmail_attr"',
  'div class="gmail_signature"',
  'div class="moz-cite-prefix"',
  'div id="divRplyFwdMsg"',
  'pre',
  'table',
  'tr',
  'td',
  'ul',
  'li',
  'a href="https://a.example/"',
);
/** Elements that may contain any element. */
const frames = [
  ['<div>', '</div>'],
  ['<b>', '</b>'],
  ['<span class="x">', '</span>'],
  ['<blockquote>', '</blockquote>'],
  ['<blockquote type="cite">', '</blockquote>'],
  ['<div class="gmail_quote">', '</div>'],
  ['<div class="gmail_attr">', '</div>'],
  ['<div class="gmail_signature">', '</div>'],
  ['<div id="divRplyFwdMsg">', '</div>'],
  ['<table><tr><td>', '</td></tr></table>'],
  ['<ul><li>', '</li></ul>'],
] as const;
/** Well-formed html. */
const { tree: wellFormed } = fc.letrec<{ tree: string; leaf: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    tie('leaf'),
    fc
      .tuple(fc.constantFrom(...frames), fc.array(tie('tree'), { maxLength: 5 }))
      .map(([[start, end], children]) => `${start}${children.join('')}${end}`),
  ),
  leaf: fc.oneof(
    anyLine.map((line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')),
    fc.constantFrom('<br>', '<hr>', '<img src="cid:1">', '<!-- note -->', '<p>Another</p>'),
  ),
}));
/** Malformed html. */
const anyHtml = fc
  .array(
    fc.oneof(
      anyTag.map((tag) => `<${tag}>`),
      anyTag.map((tag) => `</${tag.split(' ')[0]}>`),
      fc.constantFrom(
        '<br>',
        '<hr/>',
        '<',
        '>',
        '</',
        '<!',
        '<!--',
        '&',
        '&gt;',
        '&nbsp;',
        '<style>',
        '<title>',
      ),
      anyLine,
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

function visible(text: string): string {
  return text.replace(/[\s\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '');
}

describe('stripText', () => {
  it('returns an empty text only for an empty text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visible(stripText(text).stripped) === '').toBe(visible(text) === '');
      }),
    );
  });

  it('returns segments that contain every visible character in order, with alternating kinds', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { segments } = stripText(text);
        expect(visible(segments.map((segment) => segment.text).join(''))).toBe(visible(text));
        expect(segments.some(({ kind }, index) => kind === segments[index - 1]?.kind)).toBe(false);
      }),
    );
  });

  it('never classifies lines with `>` as written', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        // With a link, `>` may be its wrapped end.
        fc.pre(!text.includes('<http'));
        for (const { kind, text: part } of stripText(text).segments) {
          if (kind === 'written') expect(part).not.toMatch(/^>+ ?(?:quoted|deeper)$/m);
        }
      }),
    );
  });

  it('keeps a line of the author that a mailbox escaped with `>`', () => {
    const words = 'Hi,\n\n>From what I see, it works.';
    expect(stripText(`${words}\n\nOn 12 Mar 2024, Ann wrote:\n> Does it?`).stripped).toBe(words);
    for (const quote of [
      'On 12 Mar 2024, Ann wrote:\n\n>From here',
      '>Hello\n>From here',
      '>From here\n>it works',
    ]) {
      expect(stripText(`Yes.\n\n${quote}`).stripped).toBe('Yes.');
    }
  });

  it('returns answers between quotes whole and in order', () => {
    const answer = fc
      .array(
        fc.constantFrom('Yes, on Tuesday.', 'no', 'The garden is large.', 'see below', '1.', 'and so on'),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 6 }), (answers) => {
        const text = answers.map((one) => `> question?\n> more\n\n${one}\n\n`).join('');
        const attribution = 'On 12 Mar 2024, at 10:04, Ann <ann@a.example> wrote:';
        expect(stripText(`${attribution}\n\n${text}`).stripped).toBe(answers.join('\n\n'));
      }),
    );
  });
});

describe('stripHtml', () => {
  it('does not throw, and returns segments exactly when there is text', () => {
    fc.assert(
      fc.property(anyHtml, (html) => {
        const { segments, strippedText } = stripHtml(html);
        expect(strippedText === '').toBe(segments.length === 0);
      }),
    );
  });

  it('keeps well-formed html well-formed and only removes parts of it', () => {
    fc.assert(
      fc.property(wellFormed, (html) => {
        const { strippedHtml } = stripHtml(html);
        expect(unclosedTags(strippedHtml)).toEqual([]);
        expect(isSubsequence(strippedHtml, html)).toBe(true);
      }),
    );
  });

  it('returns html whose text is the stripped text', () => {
    fc.assert(
      fc.property(wellFormed, (html) => {
        const { segments, strippedHtml, strippedText } = stripHtml(html);
        if (!segments.some(({ kind }) => kind === 'written')) return;
        const left = stripHtml(`<section>${strippedHtml}</section>`).segments.map(({ text }) => text);
        expect(visible(left.join('')).replace(/[-.\d]/g, '')).toBe(
          visible(strippedText).replace(/[-.\d]/g, ''),
        );
      }),
    );
  });
});

describe('strip', () => {
  const html = '<div>From html.</div><blockquote type="cite">Quote</blockquote>';

  it('takes the segments from the text and strips the html as well', () => {
    expect(strip({ text: 'From text.\n\n> Quote', html })).toEqual({
      segments: [
        { kind: 'written', text: 'From text.' },
        { kind: 'quoted', text: '> Quote' },
      ],
      strippedText: 'From text.',
      strippedHtml: '<div>From html.</div>',
    });
  });

  it.each([[null], [''], [' \n\u200b\n']])(
    'takes the segments from the html when the text is blank: %j',
    (text) => {
      expect(strip({ text, html })).toEqual({
        segments: [
          { kind: 'written', text: 'From html.' },
          { kind: 'quoted', text: 'Quote' },
        ],
        strippedText: 'From html.',
        strippedHtml: '<div>From html.</div>',
      });
    },
  );

  it('takes the segments from the html when the text does not show its quote', () => {
    const text = 'Yes, that works.\n\nXyzzy 12 foo Ann Lee plugh\n\nShall we meet on Tuesday at the office?';
    const quoted =
      '<div>Yes, that works.</div><div class="gmail_quote"><div>Xyzzy 12 foo Ann Lee plugh</div><blockquote>Shall we meet on Tuesday at the office?</blockquote></div>';
    expect(strip({ text, html: quoted })).toEqual({
      segments: [
        { kind: 'written', text: 'Yes, that works.' },
        { kind: 'quoted', text: 'Xyzzy 12 foo Ann Lee plugh\n\nShall we meet on Tuesday at the office?' },
      ],
      strippedText: 'Yes, that works.',
      strippedHtml: '<div>Yes, that works.</div>',
    });
  });

  it('takes the segments from the text when the html quotes what the text lacks', () => {
    const quoted =
      '<div>Yes.</div><blockquote type="cite">Shall we meet on Tuesday at the office?</blockquote>';
    expect(strip({ text: 'Yes.\n\nAnd bring the key.', html: quoted }).strippedText).toBe(
      'Yes.\n\nAnd bring the key.',
    );
  });

  it('returns null for absent parts', () => {
    expect(strip({ text: null, html: null })).toEqual({
      segments: [],
      strippedText: null,
      strippedHtml: null,
    });
    expect(strip({ text: 'Hello', html: null }).strippedHtml).toBeNull();
  });
});

describe('processor time', () => {
  const storms: readonly (readonly [string, (text: string) => unknown, string])[] = [
    ['marks in one line', stripText, '>'],
    ['marked lines', stripText, '>\n'],
    ['blank lines', stripText, '\n'],
    ['answers between marks', stripText, 'a\n>b\n'],
    ['attributions', stripText, 'On 12 Mar 2024 at 10:04, Ann <a@a.example> wrote:\n> x\n'],
    ['beginnings of attributions', stripText, 'On Mon, Mar 12 2024 at 10:04 Ann <\n'],
    ['labels', stripText, 'From: a\nTo: b\nSent: c\nImportance: d\n'],
    ['labels in one line', stripText, 'From: a@b.example Sent: x '],
    ['delimiters', stripText, '-- \n'],
    ['closings', stripText, 'Best regards,\nAnn\n\n'],
    ['digits', stripText, '1-'],
    ['white space', stripText, ' \t'],
    ['half attributions', stripText, `On 1.1.2024 10:00 ${'a@'.repeat(150)}:\n`],
    ['half attributions in brackets', stripText, `On 1.1.2024 10:00 ${'(a@'.repeat(100)}:\n`],
    ['beginnings within a line', stripText, `${'On '.repeat(80)} 1.1.2024 10:00 a@a.example wrote:\n`],
    ['dashes before a letter', stripText, `${'-'.repeat(190)}x:\n`],
    ['letters before a colon', stripText, `On 1.1.2024 10:00 ${'a'.repeat(350)}:\n`],
    ['styles', stripHtml, `<blockquote style="${'border: '.repeat(240)}">x</blockquote>`],
    ['blanks in styles', stripHtml, `<blockquote style="border:${' '.repeat(1900)}">x</blockquote>`],
    ['open blocks', stripHtml, '<div>'],
    ['open quotes', stripHtml, '<blockquote type=cite>a'],
    ['open inline elements with strange ends', stripHtml, '<b></i>'],
    ['paragraphs', stripHtml, '<p>a'],
    ['brackets', stripHtml, '<'],
    ['links in one line', stripHtml, '<a href="https://a.example/">x</a> '],
    ['lines of preformatted text', stripHtml, 'a\n'],
    [
      'attributions in html',
      stripHtml,
      '<p>On 12.03.2024 10:04, Ann &lt;a@a.example&gt; wrote:</p><blockquote>a</blockquote>',
    ],
  ];

  it.each(storms)('grows linearly with the length of the message: %s', async (_what, run, unit) => {
    await expectLinear((size) => unit.repeat(Math.ceil(size / unit.length)), run, 16_000);
  });
});

/** Names of start tags without an end tag in the right place, and of end tags without a start. */
function unclosedTags(html: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash = '', name = ''] of html
    .replace(/<!--.*?-->/gs, '')
    .matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
    if (['br', 'hr', 'img'].includes(name)) continue;
    if (slash === '') open.push(name);
    else if (open.at(-1) === name) open.pop();
    else wrong.push(name);
  }
  return [...open, ...wrong];
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (part.startsWith(character, at)) at += character.length;
  return at === part.length;
}
