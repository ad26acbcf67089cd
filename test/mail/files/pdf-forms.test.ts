/** Form fields and notes of a PDF. */
import { describe, expect, it } from 'vitest';
import { extractText } from '../../../lib/mail/files/extract-text.ts';
import { file, pdf, pdfPage, pdfStream } from './files.ts';

const extract = (content: string, annotations: readonly string[], catalog = '') =>
  extractText(
    file(
      pdf([content], {
        catalog,
        page: `/Annots [${annotations.map((_, at) => `${6 + at} 0 R`).join(' ')}]`,
        objects: annotations.map((annotation) => `<< /Type /Annot ${annotation} >>`),
      }),
    ),
  );

const form = (count: number) =>
  `/AcroForm << /Fields [${Array.from({ length: count }, (_, at) => `${6 + at} 0 R`).join(' ')}] >>`;
const rectangle = (x: number, y: number, width = 100, height = 20) =>
  `/Rect [${x} ${795 - y} ${x + width} ${795 - y + height}]`;
const widget = '/Subtype /Widget';

describe('fields of a PDF form', () => {
  it('have their values beside their labels', async () => {
    const labels = pdfPage([
      [50, 50, 'Name:'],
      [50, 80, 'Colour:'],
      [50, 110, 'Notes:'],
      [80, 170, 'I agree'],
      [80, 200, 'By card'],
      [180, 200, 'By cash'],
    ]);
    const states = (on: string) => `/AP << /N << /${on} null /Off null >> >>`;
    const fields = [
      `${widget} /FT /Tx /T (name) /V (Anna Holm) ${rectangle(100, 50)}`,
      `${widget} /FT /Ch /Ff 131072 /T (colour) /Opt [[(v) (violet)] [(g) (green)]] /V (v) ${rectangle(100, 80)}`,
      `${widget} /FT /Tx /Ff 4096 /T (notes) /V (ring twice\rthen wait) ${rectangle(100, 142, 200, 48)}`,
      `${widget} /FT /Btn /T (agree) /V /Yes /AS /Yes ${states('Yes')} ${rectangle(50, 170, 12, 12)}`,
      `${widget} /FT /Btn /Ff 32768 /T (pay) /V /cash /AS /Off ${states('card')} ${rectangle(50, 200, 12, 12)}`,
      `${widget} /FT /Btn /Ff 32768 /T (by) /V /cash /AS /cash ${states('cash')} ${rectangle(160, 200, 12, 12)}`,
      `${widget} /FT /Tx /Ff 8192 /T (pin) /V (1234) ${rectangle(300, 50)}`,
    ];
    const { text, status } = await extract(labels, fields, form(fields.length));
    expect(status).toBe('ready');
    expect(text).toMatch(/Name:[ |]+Anna Holm/);
    expect(text).toMatch(/Colour:[ |]+violet/);
    expect(text).toMatch(/ring twice\s+then wait/);
    expect(text).toMatch(/\[x\][ |]+I agree/);
    expect(text).toMatch(/\( \)[ |]+By card[ |]+\(x\)[ |]+By cash/);
    expect(text).not.toContain('1234');
  });

  it('are read when there is no other text', async () => {
    const field = `${widget} /FT /Tx /T (name) /V (Anna Holm) ${rectangle(100, 50)}`;
    expect(await extract('', [field], form(1))).toMatchObject({ status: 'ready', text: 'Anna Holm' });
  });
});

describe('stamps and signatures of a PDF', () => {
  const drawing = (text: string) =>
    pdfStream(
      `BT /F1 12 Tf 1 0 0 1 2 5 Tm (${text}) Tj ET`,
      '/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 3 0 R >> >>',
    );

  it('are read where they stand, each text once', async () => {
    const annotations = [
      `/Subtype /Stamp /AP << /N 12 0 R >> ${rectangle(300, 50)}`,
      `${widget} /FT /Sig /T (sig) /AP << /N 13 0 R >> ${rectangle(50, 400)}`,
      `/Subtype /FreeText /Contents (Typed) /AP << /N 14 0 R >> ${rectangle(50, 300)}`,
      `${widget} /FT /Tx /T (name) /V (Anna) /AP << /N 15 0 R >> ${rectangle(50, 350)}`,
      `/Subtype /Stamp /F 2 /AP << /N 16 0 R >> ${rectangle(300, 80)}`,
      `/Subtype /Stamp /AP << /N 99 0 R >> ${rectangle(300, 110)}`,
    ];
    const drawings = ['PAID', 'Signed by Bo', 'Typed', 'Anna', 'hidden'].map(drawing);
    const { text, status } = await extractText(
      file(
        // The page leaves a transformation open.
        pdf([`q ${pdfPage([[50, 50, 'Invoice 4711']])} 0.1 0 0 0.1 500 500 cm`], {
          catalog: '/AcroForm << /Fields [7 0 R 9 0 R] >>',
          page: `/Annots [${annotations.map((_, at) => `${6 + at} 0 R`).join(' ')}]`,
          objects: [...annotations.map((annotation) => `<< /Type /Annot ${annotation} >>`), ...drawings],
        }),
      ),
    );
    expect(status).toBe('ready');
    expect(text?.match(/PAID|Signed by Bo|Typed|Anna|hidden/g)?.toSorted()).toEqual([
      'Anna',
      'PAID',
      'Signed by Bo',
      'Typed',
    ]);
    expect(text).toMatch(/^\|? ?Invoice 4711[ |]+PAID/);
  });
});

describe('notes of a PDF', () => {
  it('stand after the text of the page; hidden ones and links have none', async () => {
    const notes = [
      `/Subtype /Text /Contents (Please check) ${rectangle(300, 150)}`,
      `/Subtype /FreeText /Contents (Written beside) /DA (/Helv 10 Tf) ${rectangle(300, 200)}`,
      `/Subtype /Text /F 2 /Contents (Hidden) ${rectangle(300, 90)}`,
      `/Subtype /Link /Contents (A target) ${rectangle(300, 120)}`,
    ];
    const { text } = await extract(pdfPage([[50, 50, 'Text of the page']]), notes);
    expect(text).toBe('Text of the page\n\nNote: Please check\n\nWritten beside');
  });
});

describe('an XFA form', () => {
  it('is partial and warns when the page only asks for another program', async () => {
    const xfa = '/AcroForm << /Fields [] /XFA [(template) 6 0 R] >>';
    const { status, warnings } = await extract(pdfPage([[50, 50, 'Please wait']]), ['/Subtype /Link'], xfa);
    expect(status).toBe('partial');
    expect(warnings).toEqual(['The file is an XFA form, of which only the replacement page can be read.']);
  });
});
