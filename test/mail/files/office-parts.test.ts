import { describe, expect, it } from 'vitest';
import { extractText } from '../../../lib/mail/files/extract-text.ts';
import { missingFrom, paragraphsOf } from '../../../lib/mail/files/office-parts.ts';
import { docx, file, odt, wordParagraph } from './files.ts';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

function relationships(targets: readonly string[]): string {
  const entries = targets.map(
    (target, at) => `<Relationship Id="c${at}" Type="${office}/aFChunk" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join('')}</Relationships>`;
}

const part = (name: string, text: string) => `<w:${name} ${namespaces}>${wordParagraph(text)}</w:${name}>`;
const chunk = (at: number) =>
  `<w:altChunk xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="c${at}"/>`;

describe('extractText of DOCX', () => {
  it('reads imported files in their places', async () => {
    const chunks: Record<string, string> = {
      'word/a.html': '<html><body><h2>Größe</h2><p>one</p></body></html>',
      'word/b.rtf': String.raw`{\rtf1\ansi two}`,
      'word/c.txt': 'three',
      'word/d.mht': 'MIME-Version: 1.0\nContent-Type: text/html\n\n<p>four</p>',
    };
    const names = Object.keys(chunks).map((name) => name.slice('word/'.length));
    const body = `${wordParagraph('before')}${names.map((_, at) => chunk(at)).join('')}${wordParagraph('after')}`;
    const bytes = docx(body, { ...chunks, 'word/_rels/document.xml.rels': relationships(names) });
    expect(await extractText(file(bytes, 'a.docx'))).toMatchObject({
      status: 'ready',
      warnings: [],
      text: 'before\n\n## Größe\n\none\n\ntwo\n\nthree\n\nfour\n\nafter',
    });
  });

  it('is partial where an imported file is missing or unknown', async () => {
    const bytes = docx(`${wordParagraph('x')}${chunk(0)}`, {
      'word/_rels/document.xml.rels': relationships(['gone.bin']),
    });
    expect(await extractText(file(bytes, 'a.docx'))).toMatchObject({
      status: 'partial',
      warnings: ['A file that the document imports is not shown.'],
      text: 'x',
    });
  });

  it('is partial when files are embedded, but for the data of charts', async () => {
    const embedded = { 'word/embeddings/a.xlsx': 'x', 'word/embeddings/b.bin': 'x' };
    const charts = {
      'word/charts/chart1.xml': '<c:chartSpace xmlns:c="c"/>',
      'word/charts/_rels/chart1.xml.rels': relationships(['../embeddings/a.xlsx']),
    };
    expect(await extractText(file(docx(wordParagraph('x'), { ...embedded, ...charts })))).toMatchObject({
      status: 'partial',
      warnings: ['Files or objects inside the document that are not read: 1.'],
    });
    const [data] = Object.entries(embedded);
    const chartOnly = docx(wordParagraph('x'), { ...charts, ...Object.fromEntries(data ? [data] : []) });
    expect((await extractText(file(chartOnly))).status).toBe('ready');
  });

  it('reads shapes and watermarks, whatever the name of the main part', async () => {
    const art = (text: string) =>
      `<w:p><w:r><w:pict><v:shape xmlns:v="v"><v:textpath string="${text}"/></v:shape></w:pict></w:r></w:p>`;
    const main = `<w:document ${namespaces}><w:body>${wordParagraph('Body')}${art('Sale!')}</w:body></w:document>`;
    const bytes = docx('', {
      '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/letter.xml"/></Relationships>`,
      'word/letter.xml': main,
      'word/header1.xml': `<w:hdr ${namespaces}>${art('DRAFT')}</w:hdr>`,
    });
    expect((await extractText(file(bytes))).text).toBe(
      'Body\n\nText in shapes and fields:\n\nSale!\n\nHeader:\n\nDRAFT',
    );
  });

  it('shows headers, footers and comments once, after the text', async () => {
    const bytes = docx(wordParagraph('Body'), {
      'word/header1.xml': part('hdr', 'Letterhead'),
      'word/header2.xml': part('hdr', 'Letterhead'),
      'word/footer1.xml': part('ftr', 'IBAN DE00'),
      'word/comments.xml': `<w:comments ${namespaces}><w:comment w:id="1">${wordParagraph('Really?')}</w:comment></w:comments>`,
    });
    expect((await extractText(file(bytes, 'a.docx'))).text).toBe(
      'Body\n\nHeader:\n\nLetterhead\n\nFooter:\n\nIBAN DE00\n\nComments:\n\nReally?',
    );
  });

  it('has inserted and not deleted text, and what stands in fields, controls and shapes', async () => {
    const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const bytes = docx(
      [
        `<w:p>${run('kept ')}<w:ins>${run('inserted')}</w:ins><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>`,
        `<w:p><w:fldSimple w:instr="DATE">${run('field')}</w:fldSimple></w:p>`,
        `<w:sdt><w:sdtContent><w:p>${run('control')}</w:p></w:sdtContent></w:sdt>`,
        `<w:p><w:r><w:drawing><wps:txbx xmlns:wps="w"><w:txbxContent><w:p>${run('shape')}</w:p></w:txbxContent></wps:txbx></w:drawing></w:r></w:p>`,
      ].join(''),
    );
    const { text } = await extractText(file(bytes, 'a.docx'));
    for (const word of ['kept inserted', 'field', 'control', 'shape']) expect(text).toContain(word);
    expect(text).not.toContain('deleted');
  });
});

it('extractText of ODT shows comments after the text', async () => {
  const body = '<text:p>Body<office:annotation><text:p>Note</text:p></office:annotation></text:p>';
  expect((await extractText(file(odt(body), 'a.odt'))).text).toBe('Body\n\nComments:\n\nNote');
});

describe('office parts', () => {
  it('finds each paragraph once, also in charts and diagrams', () => {
    const chart =
      '<c><p><t>Title</t></p><strCache><pt><v>Q1</v></pt><pt><v>Q2</v></pt><pt><v>Q1</v></pt></strCache></c>';
    expect(paragraphsOf(Buffer.from(chart))).toEqual(['Title', 'Q1', 'Q2']);
  });

  it('names paragraphs with words that a text lacks', () => {
    expect(missingFrom('**one** two', ['one', 'two three'])).toEqual(['two three']);
  });
});
