/** Which characters a PDF has, and in which order they are read. */
import { describe, expect, it } from 'vitest';
import { extractText } from '../../../lib/mail/files/extract-text.ts';
import { file, type PdfParts, pdf, pdfLines, pdfPage, pdfStream } from './files.ts';

const extract = (content: string, parts: PdfParts = {}) => extractText(file(pdf([content], parts)));

const hex = (text: string): string =>
  [...text].map((letter) => (letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')).join('');

/** A font of two-byte codes that is not embedded. @param more of the font, such as `/ToUnicode` */
function compositeFont(encoding: string, ordering: string, more = ''): string {
  const system = `<< /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >>`;
  const descendant = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Any /CIDSystemInfo ${system} /DW 500 >>`;
  return `/F3 << /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /${encoding} /DescendantFonts [${descendant}] ${more} >>`;
}

/** A font whose codes are Unicode, as its map says. */
const unicodeFont: PdfParts = {
  fonts: compositeFont('Identity-H', 'Identity', '/ToUnicode 6 0 R'),
  objects: [
    pdfStream(
      'begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 3 beginbfrange <0020> <00ff> <0020> <0590> <09ff> <0590> <fb00> <feff> <fb00> endbfrange endcmap',
    ),
  ],
};

/** Text in the font of two-byte codes; `spread` moves each character by so many sizes instead of its width of a half. */
function shown(x: number, y: number, text: string, spread = 0.5): string {
  const letters = [...text].map((letter) => `<${hex(letter)}> ${(0.5 - spread) * 1000}`);
  return `BT /F3 10 Tf 1 0 0 1 ${x} ${y} Tm [${letters.join(' ')}] TJ ET`;
}

describe('characters of a PDF', () => {
  it.each([
    ['UniJIS-UCS2-H', 'Japan1', '庭園の整備'],
    ['UniGB-UCS2-H', 'GB1', '厨房装修报价单'],
    ['UniCNS-UCS2-H', 'CNS1', '廚房裝修報價單'],
    ['UniKS-UCS2-H', 'Korea1', '정원 공사'],
  ])('are read when a font of %s is not embedded', async (encoding, ordering, text) => {
    const fonts = compositeFont(encoding, ordering);
    expect(await extract(shown(50, 700, text), { fonts })).toMatchObject({
      status: 'ready',
      warnings: [],
      text,
    });
  });

  it.each([
    ['90ms-RKSJ-H', 'Japan1', '93fa967b', '日本'],
    ['GBK-EUC-H', 'GB1', 'd6d0ced4', '中卧'],
    ['ETen-B5-H', 'CNS1', 'a4a4a4e5', '中文'],
    ['KSCms-UHC-H', 'Korea1', 'c7d1b1db', '한글'],
  ])('are read when codes are of the legacy charset %s', async (encoding, ordering, codes, text) => {
    const fonts = compositeFont(encoding, ordering);
    const content = `BT /F3 12 Tf 50 700 Td <${codes}> Tj ET`;
    expect(await extract(content, { fonts })).toMatchObject({ status: 'ready', text });
  });

  it('are those of horizontal writing, although vertical writing has signs of its own', async () => {
    expect((await extract(shown(50, 700, 'a\ufe11b\ufe12\ufe35c\ufe36'), unicodeFont)).text).toBe(
      'a、b。(c)',
    );
  });

  it('are read down, and from right to left, when writing is vertical', async () => {
    const fonts = compositeFont('UniJIS-UCS2-V', 'Japan1');
    const line = (x: number, text: string) => `BT /F3 12 Tf ${x} 700 Td <${hex(text)}> Tj ET`;
    const { text } = await extract(`${line(300, '庭園の')} ${line(280, '整備')}`, { fonts });
    expect(text).toBe('庭園の\n整備');
  });

  it('are one line when a program places each below the other', async () => {
    const fonts = compositeFont('UniJIS-UCS2-H', 'Japan1');
    const down = [...'庭園の整備'].map((letter, at) => `1 0 0 1 300 ${700 - 12 * at} Tm <${hex(letter)}> Tj`);
    expect((await extract(`BT /F3 12 Tf ${down.join(' ')} ET`, { fonts })).text).toBe('庭園の整備');
  });

  it('are counted and shown as U+FFFD when the file gives no Unicode, which is partial', async () => {
    const fonts = compositeFont('Identity-H', 'Identity');
    const content = `${pdfLines('Known')} BT /F3 12 Tf 50 650 Td <00240025> Tj ET`;
    expect(await extract(content, { fonts })).toMatchObject({
      status: 'partial',
      warnings: [
        'The file does not say which letters 2 of its 7 characters are: they are wrong, or shown as \ufffd.',
      ],
      text: 'Known\n\n\ufffd\ufffd',
    });
  });

  it('are read when drawn glyphs have Unicode, and counted when they have none', async () => {
    const glyph = pdfStream('500 0 0 0 500 700 d1 0 0 400 700 re f');
    const font = (map: string) =>
      `/F3 << /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /g1 6 0 R >> /Encoding << /Differences [33 /g1 /g1] >> /FirstChar 33 /LastChar 34 /Widths [500 500] ${map} >>`;
    const map = pdfStream(
      'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar <21> <0048> <22> <0069> endbfchar endcmap',
    );
    const content = 'BT /F3 12 Tf 50 700 Td (!") Tj ET';
    const objects = [glyph, map];
    expect(await extract(content, { fonts: font('/ToUnicode 7 0 R'), objects })).toMatchObject({
      status: 'ready',
      text: 'Hi',
    });
    const without = await extract(content, { fonts: font(''), objects });
    expect(without.status).toBe('partial');
    expect(without.warnings).toEqual([expect.stringContaining('which letters 2 of its 2 characters are')]);
  });

  it('are counted when a map has half of the Unicode of an Arabic ligature', async () => {
    const map = pdfStream(
      'begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0024> <06444427> <0025> <0628> endbfchar endcmap',
    );
    const fonts = compositeFont('Identity-H', 'Identity', '/ToUnicode 6 0 R');
    const content = 'BT /F3 12 Tf 50 700 Td <00250024> Tj ET';
    expect(await extract(content, { fonts, objects: [map] })).toMatchObject({
      status: 'partial',
      text: '\ufffdب',
    });
  });

  it('are partial when vowels of an Indic script stand where they are drawn', async () => {
    expect(await extract(shown(50, 700, 'िक'), unicodeFont)).toMatchObject({
      status: 'partial',
      warnings: ['Vowels of an Indic script stand where they are drawn, not where they are read.'],
    });
    expect(await extract(shown(50, 700, 'कि'), unicodeFont)).toMatchObject({ status: 'ready', warnings: [] });
  });

  it('are apart when a program writes a space as spacing of a short string', async () => {
    const content = 'BT /F2 10 Tf 3 Tc 50 700 Td (,t) Tj 0 Tc 15 0 Td (hen) Tj ET';
    expect((await extract(content)).text).toBe(', then');
  });

  it('are text when they are invisible, as behind a scan', async () => {
    expect(await extract(`3 Tr ${pdfLines('recognized')}`)).toMatchObject({
      status: 'ready',
      text: 'recognized',
    });
  });

  it('are written once when they are printed twice to look bold', async () => {
    const content = pdfPage([
      [50, 50, 'bold words'],
      [50.4, 50, 'bold words'],
      [50, 70, 'again again'],
    ]);
    expect((await extract(content)).text).toBe('bold words\nagain again');
  });

  it.each(['Tc', 'TJ'])('are one word when letters are spread by %s', async (operator) => {
    const content =
      operator === 'Tc'
        ? 'BT /F2 10 Tf 4 Tc 50 700 Td (spread) Tj ET'
        : 'BT /F2 10 Tf 50 700 Td [(s) -300 (p) -300 (r) -300 (e) -300 (a) -300 (d)] TJ ET';
    expect((await extract(content)).text).toBe('spread');
  });

  it('are in their word when the program writes those of another font afterwards', async () => {
    const content = 'BT /F2 10 Tf 50 700 Td [(Nguy) -600 (n c) -600 (m)] TJ 24 0 Td (x) Tj 24 0 Td (y) Tj ET';
    expect((await extract(content)).text).toBe('Nguyxn cym');
  });

  it('are words on a slope when a line is not level', async () => {
    const content = 'BT /F2 12 Tf 0.87 0.5 -0.5 0.87 100 300 Tm (words on a) Tj ( slope) Tj ET';
    expect((await extract(content)).text).toBe('words on a slope');
  });

  it('are in order when a page or its text is turned in any direction', async () => {
    const turns = ['1 0 0 1 200 300', '0 1 -1 0 200 300', '-1 0 0 -1 200 300', '0 -1 1 0 200 300'];
    for (const turn of turns) {
      const content = `q ${turn} cm ${pdfPage([
        [0, 800, 'first line'],
        [0, 814, 'second line'],
      ])} Q`;
      expect((await extract(content)).text).toBe('first line\nsecond line');
    }
  });
});

describe('text that is written to the left', () => {
  const reversed = (text: string) => [...text].toReversed().join('');

  it.each([
    ['as it looks, in one piece', shown(50, 700, reversed('שלום עולם טוב'))],
    [
      'as it is read, letter by letter',
      [...'שלום עולם טוב'].map((letter, at) => shown(200 - 5 * at, 700, letter)).join(' '),
    ],
    [
      'word by word from the left',
      `${shown(50, 700, reversed('טוב'))} ${shown(70, 700, reversed('עולם'))} ${shown(95, 700, reversed('שלום'))}`,
    ],
    [
      'word by word from the right',
      `${shown(95, 700, reversed('שלום'))} ${shown(70, 700, reversed('עולם'))} ${shown(50, 700, reversed('טוב'))}`,
    ],
  ])('is in reading order when the file has it %s', async (_how, content) => {
    expect((await extract(content, unicodeFont)).text).toBe('שלום עולם טוב');
  });

  it.each(['המחיר הוא 1200 שקל (כולל מעמ)', 'הפגישה ב-14:30 עם Anna Berg מחר'])(
    'keeps numbers, brackets and words of other scripts in order: %s',
    async (text) => {
      const visual = reversed(text)
        .replace(/[\d:]+|[A-Za-z]+( [A-Za-z]+)*/g, reversed)
        .replace(/[()]/g, (bracket) => (bracket === '(' ? ')' : '('));
      expect((await extract(shown(50, 700, visual), unicodeFont)).text).toBe(text);
    },
  );

  it('reads Arabic presentation forms as letters, ligatures in their order', async () => {
    // LAM WITH ALEF ISOLATED, then SEEN INITIAL, MEEM MEDIAL, ALEF FINAL: from left to right the other way round.
    const visual = '\ufefb \ufe8e\ufee4\ufeb3';
    expect((await extract(shown(50, 700, visual), unicodeFont)).text).toBe('سما لا');
  });

  it('has tables with the first column at the right', async () => {
    const rows = [
      ['שירות', 'סכום'],
      ['צנרת', '450'],
      ['צביעה', '1200'],
    ];
    const content = rows.map(
      ([first = '', second = ''], at) =>
        `${shown(300, 700 - 20 * at, reversed(first))} ${shown(100, 700 - 20 * at, /\d/.test(second) ? second : reversed(second))}`,
    );
    expect((await extract(content.join(' '), unicodeFont)).text).toBe(
      '| שירות | סכום |\n| --- | --- |\n| צנרת | 450 |\n| צביעה | 1200 |',
    );
  });
});
