import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleFunctions } from '../../../lib/constructs/bundle.ts';
import { fileTypes } from '../../../lib/mail/files/detect.ts';
import type { SourceFile } from '../../../lib/mail/files/reader.ts';
import { createExtractor } from '../../../lib/mail/files/run-in-process.ts';
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

/** One file for each reader, with `word` in its text. */
const samples = {
  pdf: file(pdf([pdfLines('word')])),
  docx: file(docx(wordParagraph('word'))),
  xlsx: file(xlsx({ A: '<row><c t="str"><v>word</v></c></row>' })),
  pptx: file(pptx([shape('title', slideParagraph('word'))])),
  odt: file(odt('<text:p>word</text:p>')),
  ods: file(
    ods(
      '<table:table><table:table-row><table:table-cell><text:p>word</text:p></table:table-cell></table:table-row></table:table>',
    ),
  ),
  odp: file(odp('<draw:page><draw:custom-shape><text:p>word</text:p></draw:custom-shape></draw:page>')),
  html: file('<p>word', 'a.html', 'text/html'),
  csv: file('word,b', 'a.csv', 'text/csv'),
  json: file('"word"', 'a.json', 'application/json'),
  xml: file('<word/>', 'a.xml', 'text/xml'),
  rtf: file('{\\rtf1 word}'),
  eml: file('Subject: word\n\n', 'a.eml', 'message/rfc822'),
  calendar: file('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:word\r\nEND:VEVENT\r\nEND:VCALENDAR'),
  text: file('word', 'a.txt', 'text/plain'),
};

describe.each([true, false])('extractText in the bundle (minified: %s)', (minify) => {
  const outdir = mkdtempSync(join(tmpdir(), 'parley-bundle-'));

  beforeAll(() => {
    const files = new Map([
      ['text-extraction', 'lib/mail/files/child.ts'],
      ['extract-text', 'functions/workers/extract-text.ts'],
    ]);
    bundleFunctions({ outdir, minify, files });
  });
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));

  it('reads every file type', async () => {
    const extractor = createExtractor(pathToFileURL(join(outdir, 'text-extraction.mjs')));
    const read = async (sample: SourceFile) => (await extractor.extract(sample)).text ?? '';
    const texts = await Promise.all(Object.values(samples).map(read));
    const found = Object.keys(samples).filter((_, at) => texts[at]?.includes('word'));
    expect(found).toEqual(fileTypes);
  });

  it('finds the character maps of fonts that a PDF does not embed', async () => {
    const descendant =
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 0 >> /DW 1000 >>';
    const fonts = `/F3 << /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /90ms-RKSJ-H /DescendantFonts [${descendant}] >>`;
    const sample = file(pdf(['BT /F3 12 Tf 50 700 Td <93fa967b> Tj ET'], { fonts }));
    const extractor = createExtractor(pathToFileURL(join(outdir, 'text-extraction.mjs')));
    expect((await extractor.extract(sample)).text).toBe('日本');
  });
});
