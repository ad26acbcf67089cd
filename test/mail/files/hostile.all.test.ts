import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../lib/mail/files/archive.ts';
import { extractText } from '../../../lib/mail/files/extract-text.ts';
import { extractionLimits } from '../../../lib/mail/files/limits.ts';
import { docx, file, ods, odt, pdf, pdfLines, pdfPicture, pptx, wordParagraph, xlsx } from './files.ts';

const failed = (...warnings: string[]) => ({
  status: 'failed',
  format: null,
  pages: null,
  warnings,
  text: null,
});
const password = failed('The file is protected by a password and cannot be read without it.');
const damaged = failed('The file is damaged or incomplete.');
const bomb = failed('The file expands to more than can be read safely.');

describe('extractText of a password-protected file', () => {
  it('warns of the password when it is PDF', async () => {
    const filter = `<< /Filter /Standard /V 1 /R 2 /P -44 /O <${'61'.repeat(32)}> /U <${'62'.repeat(32)}> >>`;
    const id = `[<${'63'.repeat(16)}> <${'63'.repeat(16)}>]`;
    const bytes = pdf([pdfLines('secret')], { trailer: `/ID ${id} /Encrypt ${filter}` });
    expect(await extractText(file(bytes))).toEqual(password);
  });

  it('warns of the password when it is an Office or OpenDocument file', async () => {
    const compound = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(1000),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    const office = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    expect(await extractText(file(compound, 'a.xlsx', office))).toEqual(password);
    expect(await extractText(file(odt('', { encrypted: true })))).toEqual(password);
  });

  it('warns of the password when parts of an archive are encrypted', async () => {
    const bytes = Buffer.from(xlsx({ A: '' }));
    // The first flag of every entry, in its own header and in the directory.
    for (const [signature, offset] of [
      ['504b0304', 6],
      ['504b0102', 8],
    ] as const) {
      const mark = Buffer.from(signature, 'hex');
      for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 4)) {
        bytes[at + offset] = (bytes[at + offset] ?? 0) | 1;
      }
    }
    expect(await extractText(file(bytes, 'a.xlsx'))).toEqual(password);
  });
});

describe('extractText of a damaged file', () => {
  const whole = docx(wordParagraph('Some text that is long enough to be damaged.'));

  it('fails when the file is truncated anywhere', async () => {
    for (const share of [0.2, 0.5, 0.9, 0.99]) {
      const cut = whole.slice(0, Math.floor(whole.length * share));
      const name = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
      expect(await extractText(file(cut, 'a.docx', name))).toEqual(damaged);
    }
  });

  it('fails when a checksum does not match', async () => {
    const bytes = Buffer.from(
      zipSync({
        '[Content_Types].xml': [Buffer.from('<a/>'), { level: 0 }],
        'word/document.xml': [Buffer.from('<w:document/>'), { level: 0 }],
      }),
    );
    bytes[bytes.indexOf('w:document') + 3] = 0x78;
    expect(await extractText(file(bytes, 'a.docx'))).toEqual(damaged);
  });

  it('fails when binary content is declared as a document', async () => {
    const bytes = Buffer.concat([Buffer.from([0, 1, 2, 3, 255, 254]), Buffer.alloc(500, 7)]);
    expect(await extractText(file(bytes, 'a.pdf', 'application/pdf'))).toEqual(damaged);
    expect(await extractText(file(Buffer.from('%PDF-1.7\ngarbage'), 'a.pdf'))).toEqual(damaged);
  });

  it('fails when the XML is not well-formed', async () => {
    expect(await extractText(file(odt('<text:p>a</text:q>')))).toEqual(
      failed('The XML inside the file is damaged.'),
    );
  });

  it('returns the readable part when there is one', async () => {
    expect(await extractText(file('{\\rtf1 Hello {\\b wor'))).toEqual({
      status: 'partial',
      format: 'text',
      pages: null,
      warnings: ['The file is truncated; its end is missing.'],
      text: 'Hello wor',
    });
  });

  it('fails when the file is empty', async () => {
    expect(await extractText(file('', 'a.txt', 'text/plain'))).toEqual(failed('The file is empty.'));
  });
});

describe('extractText of a decompression bomb', () => {
  it('fails before expansion when the ratio is too high', async () => {
    const zeros = ' '.repeat(20 * 1024 * 1024);
    expect(await extractText(file(docx(wordParagraph('a') + zeros)))).toEqual(bomb);
  });

  it('fails when the declared size is wrong', async () => {
    const bytes = Buffer.from(xlsx({ A: `<row><c><v>${' '.repeat(1000)}</v></c></row>` }));
    // The size in the directory, of the part that holds the sheet.
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
    bytes.writeUInt32LE(10, entry + 24);
    expect(await extractText(file(bytes, 'a.xlsx'))).toEqual(damaged);
  });

  it('fails when the sum of the parts is too large', async () => {
    const limits = { ...extractionLimits, harmlessBytes: 1000, expandedBytes: 2500 };
    const parts = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, new Uint8Array(1000)]));
    const { names, read } = await openArchive(zipSync(parts), limits);
    expect(names).toEqual(['a', 'b', 'c']);
    expect(await read('a')).toEqual(Buffer.alloc(1000));
    expect(await read('b')).toEqual(Buffer.alloc(1000));
    await expect(read('c')).rejects.toThrow('The file expands to more than can be read safely.');
  });

  it('does not expand declared entities', async () => {
    const lol = '<!DOCTYPE a [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    const bytes = zipSync({
      mimetype: [Buffer.from('application/vnd.oasis.opendocument.text'), { level: 0 }],
      'content.xml': Buffer.from(`${lol}<a><body>&b;</body></a>`),
    });
    expect(await extractText(file(bytes))).toEqual(failed('The XML inside the file is damaged.'));
  });

  it('fails when elements are nested too deep', async () => {
    const deep = '<text:span>'.repeat(5000) + '</text:span>'.repeat(5000);
    expect(await extractText(file(odt(`<text:p>${deep}</text:p>`)))).toEqual(
      failed('The XML inside the file is nested too deep.'),
    );
    const html = `<div><table><tr><td>`.repeat(100_000);
    expect((await extractText(file(`<html>${html}x`, 'a.html', 'text/html'))).text).toBe('x');
  });

  it('is partial when cells are repeated too often', async () => {
    const bytes = ods(
      `<table:table table:name="A"><table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`,
    );
    const prepared = await extractText(file(bytes));
    expect(prepared).toMatchObject({ status: 'partial', format: 'markdown' });
    expect(prepared.warnings[0]).toBe(
      'The workbook is too large to be shown as a whole: 500000 cells in 500 columns at most.',
    );
  });
});

describe('extractText over its limits', () => {
  it('cuts the text at a character boundary, with a warning', async () => {
    const { status, warnings, text } = await extractText(
      file(`a${'ü'.repeat(extractionLimits.textBytes / 2)}`, 'a.txt', 'text/plain'),
    );
    expect(status).toBe('partial');
    expect(warnings).toEqual([`Only the first ${extractionLimits.textBytes} bytes of the text are kept.`]);
    expect(text).toBe(`a${'ü'.repeat(extractionLimits.textBytes / 2 - 1)}`);
  });

  it('cuts html that is too large although its text is not, with a warning', async () => {
    const html = `<p>start</p>${' '.repeat(extractionLimits.textBytes)}<p>end</p>`;
    const message = `Content-Type: text/html\n\n${html}`;
    for (const one of [file(html, 'a.html'), file(message, 'a.eml')]) {
      const { status, text, warnings } = await extractText(one);
      expect([status, warnings]).toEqual([
        'partial',
        ['The end of the text is not shown: the file is too large.'],
      ]);
      expect(text).toMatch(/start$/);
    }
  });

  it('cuts the slides, with a warning', async () => {
    const count = extractionLimits.pages + 1;
    const prepared = await extractText(file(pptx(Array(count).fill(''))));
    expect(prepared).toMatchObject({ status: 'partial', pages: count });
    expect(prepared.warnings).toEqual([`Only the first ${count - 1} of ${count} slides are shown.`]);
  });
});

describe('extractText of a PDF without text', () => {
  it('is partial and warns of a scan when there are pictures', async () => {
    expect(await extractText(file(pdf([pdfPicture, ''])))).toEqual({
      status: 'partial',
      format: null,
      pages: 2,
      warnings: ['The pages hold no text, only pictures: this is probably a scan.'],
      text: null,
    });
  });

  it('is partial and warns of no scan when its pages are blank', async () => {
    expect(await extractText(file(pdf(['', '0 0 600 800 re W n'])))).toMatchObject({
      status: 'partial',
      warnings: ['There is no text in the file.'],
    });
  });

  it('names the pages of pictures that have a few words beside', async () => {
    const strips = Array.from({ length: 10 }, (_, at) => pdfPicture.replace('800 0 0', `80 0 ${80 * at}`));
    const pages = [
      pdfPicture + pdfLines('Page 1 of 3'),
      pdfLines('31/01/2026 10:22 FROM +49 123 4567') + strips.join(' '),
      // A background, and a small picture.
      pdfPicture +
        pdfLines('A page of which the background is a picture', 'has more words than a stamp has.'),
      pdfPicture.replace('600 0 0 800', '300 0 0 200') + pdfLines('Our logo'),
    ];
    expect(await extractText(file(pdf(pages)))).toMatchObject({
      status: 'partial',
      warnings: ['Pages 1, 2 with few words beside pictures: words in the pictures are not read.'],
    });
  });

  it('names the pages of pictures when others have text, and no blank ones', async () => {
    expect(await extractText(file(pdf(['', pdfLines('two'), pdfPicture])))).toEqual({
      status: 'partial',
      format: 'markdown',
      pages: 3,
      warnings: ['Page 3 without text, only pictures: probably scanned.'],
      text: 'two',
    });
  });
});
