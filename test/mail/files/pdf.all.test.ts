/** The time of large PDF documents as Markdown. */
import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../lib/mail/files/readers/pdf.ts';
import { cpuMs, targetMs } from '../../../scripts/ten-megabytes.ts';
import { file, type PdfText, pdf, pdfPage } from './files.ts';

describe('readPdf', () => {
  it.each<[string, (at: number) => PdfText]>([
    ['lines of one word', (at) => [50, at % 5000, 'x']],
    ['rows that are no table', (at) => [(at % 2) * (100 + (at % 7) * 30), Math.floor(at / 2), 'cell']],
    ['one row of many cells', (at) => [at * 30, 50, 'c']],
    ['list items', (at) => [50 + (at % 10), 50 + at, `${at + 1}. x`]],
    ['lines that jump back', (at) => [at, at % 12, 'word']],
    ['one line written from its end', (at) => [600 - ((at * 4) % 590), 50, 'x']],
  ])('is linear when a page holds %s', async (_what, textAt) => {
    const content = pdfPage(Array.from({ length: 20_000 }, (_, at) => textAt(at)));
    const bytes = file(pdf([content]));
    expect(await cpuMs(() => readPdf(bytes))).toBeLessThan(2 * targetMs);
  });
});
