/** PDF documents as Markdown: headings, lists and tables are found by where the text stands. */
import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../lib/mail/files/readers/pdf.ts';
import { file, type PdfText, pdf, pdfPage } from './files.ts';

const prose = 'This line of text is as long as the lines of a usual paragraph.';

async function markdownOf(...pages: readonly (readonly PdfText[])[]): Promise<string> {
  return (await readPdf(file(pdf(pages.map(pdfPage))))).text;
}

describe('readPdf', () => {
  it('returns headings with levels when lines have larger fonts than most text', async () => {
    const text = await markdownOf(
      [
        [50, 50, 'Annual report', 24],
        [50, 78, 'of the year', 24],
        [50, 120, 'Results', 16],
        [50, 150, prose],
        [50, 164, '# no heading'],
      ],
      [
        [50, 50, 'Outlook', 16.2],
        [50, 80, prose],
        [50, 94, prose],
      ],
    );
    expect(text).toBe(
      [
        '# Annual report of the year',
        '## Results',
        `${prose}\n\\# no heading`,
        '## Outlook',
        `${prose}\n${prose}`,
      ].join('\n\n'),
    );
  });

  it('returns lists with nested items and wrapped lines when lines begin with bullets or numbers', async () => {
    const text = await markdownOf([
      [50, 50, 'We need:'],
      [60, 64, '\x95'],
      [75, 64, 'paper'],
      [60, 78, '\x95 pens, which we'],
      [75, 92, 'have not'],
      [90, 106, 'o'],
      [105, 106, 'blue'],
      [90, 120, 'o'],
      [105, 120, 'red'],
      [60, 134, '\x95 ink'],
      [50, 170, '1. Open'],
      [50, 184, '2. Close'],
      [50, 220, '12. May was warm.'],
    ]);
    expect(text).toBe(
      [
        'We need:',
        '- paper\n- pens, which we\n  have not\n  - blue\n  - red\n- ink',
        '1. Open\n2. Close',
        '12\\. May was warm.',
      ].join('\n\n'),
    );
  });

  const table =
    '| Item | Count | Price |\n| --- | --- | --- |\n| Blue notebook | 2 | 3.50 |\n| Pen \\| pencil |  | 12.00 |';

  it('returns a table when cells stand in columns, written line by line', async () => {
    const text = await markdownOf([
      [50, 50, prose],
      [50, 80, 'Item'],
      [200, 80, 'Count'],
      [300, 80, 'Price'],
      [50, 100, 'Blue'],
      [220, 100, '2'],
      [305, 100, '3.50'],
      [50, 114, 'notebook'],
      [50, 134, 'Pen | pencil'],
      [299, 134, '12.00'],
      [50, 160, `${prose} Again.`],
    ]);
    expect(text).toBe(
      `${prose}\n\n${table.replace('Blue notebook', 'Blue').replace('\n| Pen', '\n| notebook |  |  |\n| Pen')}\n\n${prose} Again.`,
    );
  });

  it('returns a table when cells stand in columns, written cell by cell', async () => {
    const text = await markdownOf([
      [50, 80, 'Item'],
      [200, 80, 'Count'],
      [300, 80, 'Price'],
      [50, 100, 'Blue'],
      [50, 114, 'notebook'],
      [220, 100, '2'],
      [305, 100, '3.50'],
      [50, 134, 'Pen | pencil'],
      [299, 134, '12.00'],
    ]);
    expect(text).toBe(table);
  });

  it('returns a table when a fixed-width font separates columns by spaces', async () => {
    const lines = ['Item      Count', 'Notebook      2', 'Pen          10'];
    const shown = lines.map((line, at) => `1 0 0 1 50 ${700 - 14 * at} Tm (${line}) Tj`);
    const { text } = await readPdf(file(pdf([`BT /F2 12 Tf ${shown.join(' ')} ET`])));
    expect(text).toBe('| Item | Count |\n| --- | --- |\n| Notebook | 2 |\n| Pen | 10 |');
  });

  it('returns no table when columns hold running text', async () => {
    const column = 'Words of a column of a newspaper.';
    const down = Array.from({ length: 20 }, (_, at): PdfText => [50, 50 + 14 * at, `${column} ${at}`]);
    const beside = down.map(([, y, text]): PdfText => [320, y, `${text} right`]);
    const byColumn = await markdownOf([...down, ...beside]);
    expect(byColumn).not.toContain('|');
    expect(byColumn.indexOf('19')).toBeLessThan(byColumn.indexOf('0 right'));
    const byLine = await markdownOf(down.flatMap((left, at) => [left, beside[at] ?? left]));
    expect(byLine).not.toContain('|');
  });

  it('loses no word when text is rotated, overlapping or out of order', async () => {
    const texts = Array.from(
      { length: 60 },
      (_, at): PdfText => [20 + ((at * 97) % 500), 20 + ((at * 61) % 700), `word${at}`, 8 + (at % 5) * 4],
    );
    const rotated = 'BT /F1 12 Tf 0 1 -1 0 300 300 Tm (turned) Tj ET';
    const { text } = await readPdf(file(pdf([`${pdfPage(texts)} ${rotated}`])));
    for (const word of ['turned', ...texts.map(([, , word]) => word)])
      expect(text).toMatch(new RegExp(`\\b${word}\\b`));
  });
});
