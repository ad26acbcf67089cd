import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../../lib/mail/files/extract-text.ts';
import {
  docx,
  file,
  odp,
  ods,
  odt,
  pdf,
  pdfLines,
  pptx,
  shape,
  slideParagraph,
  wordParagraph,
  xlsx,
} from './files.ts';

const ready = (text: string, more: Record<string, unknown> = {}) => ({
  status: 'ready',
  format: 'markdown',
  pages: null,
  warnings: [],
  text,
  ...more,
});

describe('extractText of a document', () => {
  it('returns headings, paragraphs, lists and tables when it is DOCX', async () => {
    const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;
    const item = (number: number) => `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${number}"/></w:numPr>`;
    const bytes = docx(
      [
        wordParagraph('Offer', '<w:pStyle w:val="T"/>'),
        wordParagraph('Dear Ms M&#252;ller,'),
        wordParagraph('Scope', '<w:pStyle w:val="H2"/>'),
        wordParagraph('design', item(1)),
        wordParagraph('code', item(1)),
        wordParagraph('first', item(2)),
        wordParagraph('second', item(2)),
        `<w:tbl><w:tr>${cell('What')}${cell('EUR')}</w:tr><w:tr>${cell('a | b')}${cell('10')}</w:tr></w:tbl>`,
      ].join(''),
    );
    expect(await extractText(file(bytes))).toEqual(
      ready(
        [
          '# Offer',
          'Dear Ms Müller,',
          '## Scope',
          '- design\n- code',
          '1. first\n2. second',
          '| What | EUR |\n| --- | --- |\n| a \\| b | 10 |',
        ].join('\n\n'),
      ),
    );
  });

  it('returns the same and notes, without deletions, when it is ODT', async () => {
    const body = `
      <text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
      <text:p text:style-name="P1">Offer</text:p>
      <text:h text:outline-level="2">Scope</text:h>
      <text:p>See<text:s text:c="3"/><text:a xlink:href="https://example.test/a?b&amp;c">this</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note></text:p>
      <text:list text:style-name="L1"><text:list-item><text:p>one</text:p>
        <text:list><text:list-item><text:p>nested</text:p></text:list-item></text:list></text:list-item></text:list>
      <table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table>`;
    const styles = `<style:style style:name="P1" style:parent-style-name="Title"/>
      <text:list-style style:name="L1"><text:list-level-style-number text:level="1"/></text:list-style>`;
    expect(await extractText(file(odt(body, { styles })))).toEqual(
      ready(
        [
          '# Offer',
          '## Scope',
          'See [this](<https://example.test/a?b&c>) (A note.)',
          '1. one\n   - nested',
          '| A | B |\n| --- | --- |',
        ].join('\n\n'),
      ),
    );
  });

  it('returns lines and paragraphs, page by page, when it is PDF', async () => {
    const bytes = pdf([pdfLines('Invoice 42', '', 'Dear Anna,', 'thank you.'), pdfLines('Page two')]);
    expect(await extractText(file(bytes))).toEqual(
      ready('Invoice 42\n\nDear Anna,\nthank you.\n\nPage two', { pages: 2 }),
    );
  });

  it('returns text in any script, without fonts and images, when it is RTF', async () => {
    const source = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}
{\info{\author Nobody}}\f0 Caf\'e9 \u8364?5\par{\f1\'cf\'f0\'e8\'e2\'e5\'f2}\par{\pict\bin5 }{}\}}
a\cell b\row{\v hidden}{\*\unknown x}\uc2\u26085\'93\'fa end}`;
    expect(await extractText(file(source))).toEqual(
      ready('Café €5\nПривет\na\tb\n日 end', { format: 'text' }),
    );
  });
});

it('extractText returns values of form fields at their place when the file is ODT', async () => {
  const body = `<o:forms><form:form><form:text form:id="c1" form:current-value="Rosa &lt;Lind&gt;"/></form:form></o:forms>
    <text:p>Name<draw:control draw:control="c1"/>, please</text:p>`;
  expect((await extractText(file(odt(body)))).text).toBe('Name Rosa \\<Lind> , please');
});

describe('extractText of objects in an OpenDocument file', () => {
  const parts = {
    'Object 1/content.xml':
      '<math><semantics><mrow><mi>E</mi><mo>=</mo><mi>mc</mi></mrow><annotation>{E = mc}</annotation></semantics></math>',
    'Object 2/content.xml':
      '<d xmlns:text="t"><c><title><text:p>Sales</text:p></title></c><t><text:p>Q1</text:p><text:p>12</text:p></t></d>',
  };
  const objects = 'Charts, formulas and other objects:\n\nE=mc\n\nSales\n\nQ1\n\n12';

  it('reads charts and formulas', async () => {
    const inText = odt('<text:p>See</text:p>', { parts });
    expect(await extractText(file(inText))).toEqual(ready(`See\n\n${objects}`));
    const page = '<draw:page xmlns:draw="d"><text:p>See</text:p></draw:page>';
    expect((await extractText(file(odp(page, { parts })))).text).toBe(`## Slide 1\n\nSee\n\n${objects}`);
  });

  it('is partial when they are damaged, or of another program', async () => {
    const ole = '<text:p>See <d:object-ole xmlns:d="d"/></text:p>';
    const damaged = odt(ole, { parts: { 'Object 1/content.xml': '<math>' } });
    expect(await extractText(file(damaged))).toEqual({
      ...ready('See'),
      status: 'partial',
      warnings: ['Files or objects inside the document that are not read: 2.'],
    });
  });
});

describe('extractText of ODP', () => {
  it('returns a heading for each slide, with text, lists, tables, comments and notes', async () => {
    const frame = (text: string, role = '') =>
      `<draw:frame presentation:class="${role}"><draw:text-box>${text}</draw:text-box></draw:frame>`;
    const pages = `<presentation:footer-decl>foot</presentation:footer-decl>
      <draw:page>${frame('<text:p>body <text:span>first</text:span></text:p>')}
        ${frame('<text:p>Plan<text:line-break/>for &lt;May&gt;</text:p>', 'title')}
        ${frame('<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>', 'outline')}
        ${frame('<text:p>7</text:p>', 'page-number')}
        <draw:frame><table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table></draw:frame>
        <o:annotation><dc:creator>Eve</dc:creator><text:p>Check this</text:p></o:annotation>
        <presentation:notes>${frame('<text:p>Speak up</text:p>', 'notes')}</presentation:notes></draw:page>
      <draw:page><draw:g><draw:custom-shape><text:p>in a group</text:p></draw:custom-shape></draw:g></draw:page>`;
    const text = [
      '## Plan for \\<May>',
      'body first',
      '- one',
      '| A | B |\n| --- | --- |',
      'Comment:',
      'Check this',
      'Notes: Speak up',
      '## Slide 2',
      'in a group',
    ].join('\n\n');
    expect(await extractText(file(odp(pages)))).toEqual(ready(text, { pages: 2 }));
  });
});

describe('extractText of RTF', () => {
  it.each([
    [
      'notes and comments in brackets',
      String.raw`Salt{\super\chftn{\*\footnote\chftn  By boat.}} came{\*\atnid A}{\*\annotation{\*\atndate 0} When?}.`,
      'Salt (By boat.) came [Comment: When?].',
    ],
    ['a note in a note', String.raw`a{\footnote b{\footnote c} d} e`, 'a (b c d) e'],
    [
      'headers first and footers last, once',
      String.raw`{\footer F\par}{\header H\par}{\headerl H\par}one\par\sect{\header H\par}two`,
      'H\none\n\ntwo\nF',
    ],
    [
      'text boxes once, without the names of shapes',
      String.raw`{\shp{\*\shpinst{\sp{\sn wzName}{\sv Box 1}}{\shptxt in the box\par}}{\shprslt{\*\do{\dptxbxtext in the box}}}}after`,
      'in the box\nafter',
    ],
    [
      'words of a shape',
      String.raw`{\*\shpinst{\sp{\sn gtextUNICODE}{\sv Sale}}{\sp{\sn gtextFont}{\sv Arial}}}after`,
      'Sale\nafter',
    ],
    [
      'insertions without deletions',
      String.raw`on {\deleted\revauthdel1 Monday}{\revised Friday} \deleted gone\deleted0 kept`,
      'on Friday kept',
    ],
    ['the Unicode form of a text', String.raw`{\upr{caf?}{\*\ud{caf\u233e}}}`, 'café'],
  ])('returns %s', async (_, body, text) => {
    expect((await extractText(file(`{\\rtf1 ${body}}`))).text).toBe(text);
  });
});

it('extractText reads the document when a part of it is a document of another type', async () => {
  const inner = Buffer.from(xlsx({ A: '<row><c t="str"><v>x</v></c></row>' }));
  const outer = Buffer.from(pptx([shape('title', slideParagraph('Chart'))]));
  // As a part that is stored without compression: its names are in the bytes of the outer archive.
  const bytes = zipSync({ 'ppt/embeddings/a.xlsx': [inner, { level: 0 }], ...unzipSync(outer) });
  expect((await extractText(file(bytes))).text).toBe('## Chart');
});

describe('extractText of a workbook', () => {
  it('returns a table of formatted cells for each sheet when it is XLSX', async () => {
    const sheets = {
      Sales: `<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" t="s"><v>1</v></c><c r="E2" t="inlineStr"><is><t>Share</t></is></c></row>
        <row r="3"><c r="B3" s="1"><v>46053</v></c><c r="D3" s="3"><v>1234.5</v></c><c r="E3" s="2"><v>0.125</v></c></row>
        <row r="4"><c r="B4" t="b"><v>1</v></c><c r="D4" t="e"><v>#DIV/0!</v></c><c r="E4" s="4"><v>1.5</v></c></row>`,
      Empty: '',
    };
    const strings = ['<t>Day</t>', '<r><t>Amo</t></r><r><t>unt</t></r><rPh><t>x</t></rPh>'];
    expect(await extractText(file(xlsx(sheets, strings)))).toEqual(
      ready(`## Sales

| Day | Amount | Share |
| --- | --- | --- |
| 2026-01-31 | 1,234.50 EUR | 12.50% |
| TRUE | #DIV/0! | 36:00:00 |`),
    );
  });

  it('returns the same when it is ODS with repeated empty cells', async () => {
    const cell = (text: string, repeated = 1) =>
      `<table:table-cell table:number-columns-repeated="${repeated}"><text:p>${text}</text:p></table:table-cell>`;
    const bytes = ods(`<table:table table:name="Plan">
      <table:table-row>${cell('A')}${cell('B', 2)}<table:table-cell table:number-columns-repeated="16380"/></table:table-row>
      <table:table-row table:number-rows-repeated="2">${cell('1')}${cell('2')}${cell('3')}</table:table-row>
      <table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row></table:table>`);
    expect(await extractText(file(bytes))).toEqual(
      ready('## Plan\n\n| A | B | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 2 | 3 |'),
    );
  });

  it('returns a table with any separator when it is CSV', async () => {
    const text = 'name;amount\n"M|ller; Anna";1,5\n\nBo;2\n';
    expect(await extractText(file(text, 'a.csv', 'text/csv'))).toEqual(
      ready('| name | amount |\n| --- | --- |\n| M\\|ller; Anna | 1,5 |\n| Bo | 2 |'),
    );
  });
});

it('extractText returns slides in presentation order with notes when the file is PPTX', async () => {
  const table = `<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody>${slideParagraph('k')}</a:txBody></a:tc><a:tc><a:txBody>${slideParagraph('v')}</a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>`;
  const slides = [
    shape('title', slideParagraph('Plan')) +
      shape('', slideParagraph('one'), slideParagraph('deeper', 1), slideParagraph('two')) +
      shape('sldNum', slideParagraph('1')),
    `<p:sp><p:txBody>${slideParagraph('free text')}</p:txBody></p:sp>${table}`,
  ];
  expect(await extractText(file(pptx(slides, shape('body', slideParagraph('say it')))))).toEqual(
    ready(
      [
        '## Plan',
        '- one\n  - deeper\n- two',
        'Notes: say it',
        '## Slide 2',
        'free text',
        '| k | v |\n| --- | --- |',
      ].join('\n\n'),
      { pages: 2 },
    ),
  );
});

it('extractText returns header, text and file names when the file is a message', async () => {
  const raw = `From: Anna <anna@example.test>
To: bo@example.test
Subject: Lunch <today>
Date: Sat, 31 Jan 2026 12:00:00 +0100
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

- noon?
--b
Content-Type: application/pdf; name=menu.pdf

x
--b--
`;
  expect(await extractText(file(raw, 'message.eml', 'message/rfc822'))).toEqual(
    ready(
      [
        '# Lunch \\<today>',
        'From: Anna \\<anna@example.test>  \nTo: bo@example.test  \nDate: 2026-01-31T11:00:00.000Z',
        '\\- noon?',
        'Attachments:\n\n- menu.pdf',
      ].join('\n\n'),
      { warnings: ['Only the names of the files attached to this message are listed.'] },
    ),
  );
});

it('extractText returns entries with their properties when the file is a calendar', async () => {
  const ics = `BEGIN:VCALENDAR
VERSION:2.0
METHOD:REQUEST
BEGIN:VEVENT
SUMMARY:Planning\\, part 2
DTSTART;TZID=Europe/Berlin:20260131T120000
RRULE:FREQ=WEEKLY;COUNT=3
EXDATE;VALUE=DATE:20260207,20260214
CATEGORIES:Work,Garden
COMMENT:Bring figures
ORGANIZER;CN=Anna:mailto:anna@example.test
ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@exam
 ple.test
DESCRIPTION:Agenda
END:VEVENT
END:VCALENDAR`.replaceAll('\n', '\r\n');
  expect(await extractText(file(ics))).toEqual(
    ready(`Method: REQUEST

## Planning, part 2

- Start: 2026-01-31T12:00:00 (Europe/Berlin)
- Repeats: FREQ=WEEKLY;COUNT=3
- Not on: 2026-02-07, 2026-02-14
- Organizer: Anna \\<anna@example.test>
- Attendee: bo@example.test [ACCEPTED]
- Categories: Work, Garden
- Comment: Bring figures

Agenda`),
  );
});

describe('extractText of text', () => {
  const text = (body: string, more = {}) => ready(body, { format: 'text', ...more });

  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffGrüße\r\nΩ'), 'Grüße\nΩ'],
    ['UTF-16 with a mark', Buffer.from('\ufeffGrüße Ω', 'utf16le'), 'Grüße Ω'],
    [
      'UTF-16 without one',
      Buffer.from('Viele liebe Grüße aus Bern', 'utf16le'),
      'Viele liebe Grüße aus Bern',
    ],
    [
      'windows-1252',
      Buffer.from('Viele liebe Grüße aus Zürich, Thömas', 'latin1'),
      'Viele liebe Grüße aus Zürich, Thömas',
    ],
    [
      'Shift_JIS',
      Buffer.from('93fa967b8cea82cc8365834c83588367825082c582b781420d0a', 'hex'),
      '日本語のテキスト１です。',
    ],
  ])('decodes %s', async (_, bytes, expected) => {
    expect(await extractText(file(bytes, 'a.txt', 'text/plain'))).toEqual(text(expected));
  });

  it('returns JSON and XML unchanged, with a warning when they are invalid', async () => {
    const json = (source: string) => extractText(file(source, 'a.json', 'application/json'));
    const xml = (source: string) => extractText(file(source, 'a.xml', 'application/xml'));
    expect(await json('{"a":1}')).toEqual(text('{"a":1}'));
    expect(await json('{"a":1}\n{"a":2}')).toEqual(text('{"a":1}\n{"a":2}'));
    expect(await json('{"a":')).toEqual(
      text('{"a":', { warnings: ['This is not valid JSON; the text is unchanged.'] }),
    );
    expect(await xml('<a>1</a>')).toEqual(text('<a>1</a>'));
    expect(await xml('<a>1</b>')).toEqual(
      text('<a>1</b>', { warnings: ['This is not well-formed XML; the text is unchanged.'] }),
    );
  });

  it('decodes XML in its declared encoding', async () => {
    const bytes = Buffer.from('<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb1</a>', 'latin1');
    expect(await extractText(file(bytes, 'a.xml', 'text/xml'))).toEqual(
      text('<?xml version="1.0" encoding="ISO-8859-2"?><a>ą</a>'),
    );
  });
});

describe('extractText of html', () => {
  it.each([
    '<meta charset="utf-16">',
    '<meta charset="utf-8">',
    '<!-- <meta charset="ucs-2"> -->',
    '<?xml version="1.0" encoding="UTF-16"?>',
  ])('does not believe in a Unicode charset that it is not: %s', async (declaration) => {
    const bytes = Buffer.from(`${declaration}<p>Gr\xfc\xdfe aus M\xfcnchen</p>`, 'latin1');
    expect((await extractText(file(bytes, 'a.html', 'text/html'))).text).toBe('Grüße aus München');
  });

  it.each([
    [
      'values of fields, without hidden ones',
      '<p>Name <input value="Vera &amp; Bo"><input type=hidden value=token><input type="password" value="x"><textarea>a <b> c</textarea><button>Send</button>',
      'Name Vera & Bo a \\<b> c Send',
    ],
    ['an unfinished field', 'a<textarea>b', 'a b'],
    ['every choice', '<select><option>one<option selected>two</select>', 'one\n\ntwo'],
    [
      'each part apart',
      '<figure>a<figcaption>b</figcaption></figure><details><summary>c</summary>d</details><fieldset><legend>e</legend>f</fieldset>',
      'a\n\nb\n\nc\n\nd\n\ne\n\nf',
    ],
    [
      'words of drawings, without descriptions',
      'a<svg><title>t</title><desc>u</desc><style>v</style><text x="1">w<tspan>x</tspan></text><text>y</text></svg>b',
      'a\n\nwx\n\ny\n\nb',
    ],
  ])('returns %s', async (_, html, text) => {
    expect((await extractText(file(html, 'a.html', 'text/html'))).text).toBe(text);
  });

  it('warns of damaged bytes', async () => {
    const page = '<meta charset="utf-8"><p>Grüße aus München, schöne Tage, viele Spaß, früher Äpfel</p>';
    const bytes = Buffer.concat([Buffer.from(page), Buffer.from([0xc3])]);
    const { text, warnings } = await extractText(file(bytes, 'a.html', 'text/html'));
    expect(text).toContain('Grüße aus München');
    expect(warnings).toEqual(['Bytes that are not utf-8 are shown as \ufffd (1).']);
  });

  it('returns Markdown without active content', async () => {
    const html = `<html><head><meta charset="windows-1251"><style>p{}</style><script>alert(1)</script></head><body>
      <h1>Price &amp; terms</h1><p>1 &lt; 2, &lt;script&gt;, <a href="javascript:x()">no</a>,
      <a href="https://example.test/a">yes</a><br># no heading</p>
      <ul><li>a<ol><li>b</li></ol></li></ul><pre>x  y</pre><blockquote><p>q</p><p>r</p></blockquote></body></html>`;
    const bytes = Buffer.concat([Buffer.from(html), Buffer.from([0xcf, 0xf0])]);
    expect(await extractText(file(bytes, 'a.html', 'text/html'))).toEqual(
      ready(
        [
          '# Price & terms',
          '1 < 2, \\<script>, no, [yes](<https://example.test/a>)\n\\# no heading',
          '- a\n  1. b',
          '```\nx  y\n```',
          '> q\n>\n> r',
          'Пр',
        ].join('\n\n'),
      ),
    );
  });

  it('reads layout tables cell by cell', async () => {
    const html =
      '<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td><h2>Side</h2></td></tr></table>';
    expect(await extractText(file(html, 'a.html', 'text/html'))).toEqual(
      ready('| a | b |\n| --- | --- |\n\n## Side'),
    );
  });
});

describe('extractText chooses the type', () => {
  it('by content, with a warning, when name and declared type are wrong', async () => {
    const named = await extractText(
      file('<html><body><p>Not found</p></body></html>', 'report.pdf', 'application/pdf'),
    );
    expect(named).toEqual(
      ready('Not found', { warnings: ['The file claims to be pdf, and is read as html for what is in it.'] }),
    );
    expect(await extractText(file(pdf([pdfLines('Hi')]), 'notes.txt', 'text/plain'))).toMatchObject({
      status: 'ready',
      pages: 1,
      text: 'Hi',
    });
  });

  it('and reads web pages that are saved as one file', async () => {
    const page =
      'MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<p>H=C3=A9llo</p>\n--b--\n';
    for (const name of ['a.mht', 'a.doc']) {
      expect((await extractText(file(page, name))).text).toBe('# (no subject)\n\nHéllo');
    }
  });

  it.each([
    [
      'a workbook of Excel 2003',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    ],
    [
      'a document of Word 2003',
      '<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>',
    ],
    [
      'a package in one file',
      '<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"></pkg:package>',
    ],
    [
      'an OpenDocument in one file',
      '\ufeff<?xml version="1.0"?>\n<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>',
    ],
    ['PostScript', '%!PS-Adobe-3.0\n(Hello) show'],
  ])('and returns unsupported for %s, whatever its name', async (_, content) => {
    for (const [name, type] of [
      ['a.xml', 'text/xml'],
      ['a.xls', 'application/vnd.ms-excel'],
      ['a.txt', 'text/plain'],
      ['a.fods', 'application/octet-stream'],
      ['a.docx', ''],
    ] as const) {
      expect(await extractText(file(content, name, type))).toMatchObject({
        status: 'unsupported',
        text: null,
      });
    }
    const wide = Buffer.from(`\ufeff${content}`, 'utf16le');
    expect((await extractText(file(wide, 'a.xml', 'text/xml'))).status).toBe('unsupported');
  });

  it('and returns unsupported when there is no reader', async () => {
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const program = Buffer.from('4d5a90000300000004000000ffff0000', 'hex');
    for (const bytes of [picture, program, Buffer.from('504b0304140000', 'hex')]) {
      expect(await extractText(file(bytes, 'a.bin'))).toEqual({
        status: 'unsupported',
        format: null,
        pages: null,
        warnings: ['Text is not extracted from files of this type; download the original.'],
        text: null,
      });
    }
  });
});

it('extractText reads documents written by Word', async () => {
  // Test data of the mammoth library.
  const folder = join(import.meta.dirname, '../../../node_modules/mammoth/test/test-data');
  const read = async (name: string) => (await extractText(file(readFileSync(join(folder, name)), name))).text;
  expect(await read('tables.docx')).toBe(
    'Above\n\n| Top left | Top right |\n| --- | --- |\n| Bottom left | Bottom right |\n\nBelow',
  );
  expect(await read('footnotes.docx')).toBe('Ouch[1].[2]\n\n1. A tachyon walks into a bar.\n2. Fin.');
  expect(await read('strict-format.docx')).toBe('Test');
});
