/** Small files of every type, built as their programs write them, as far as the readers look. */
import { type Zippable, zipSync } from 'fflate';
import type { SourceFile } from '../../../lib/mail/files/reader.ts';

const office = 'application/vnd.openxmlformats-officedocument';
const main = 'http://schemas.openxmlformats.org';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** A file that claims to be nothing in particular, unless told otherwise. */
export function file(
  bytes: Uint8Array | string,
  filename = 'file',
  contentType = 'application/octet-stream',
): SourceFile {
  return { filename, contentType, bytes: Buffer.from(bytes) };
}

export function archive(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])));
}

function relationships(targets: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const entries = Object.entries(targets).map(
    ([id, [type, target]]) =>
      `<Relationship Id="${id}" Type="${main}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${main}/package/2006/relationships">${entries.join('')}</Relationships>`;
}

function contentTypes(overrides: Readonly<Record<string, string>>): string {
  const entries = Object.entries(overrides).map(
    ([part, type]) => `<Override PartName="${part}" ContentType="${office}.${type}+xml"/>`,
  );
  return `${declaration}<Types xmlns="${main}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${entries.join('')}</Types>`;
}

/** @param body what stands in `w:body` */
export function docx(body: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
  const style = (id: string, name: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  return archive({
    '[Content_Types].xml': contentTypes({ '/word/document.xml': 'wordprocessingml.document.main' }),
    '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': relationships({
      r1: ['styles', 'styles.xml'],
      r2: ['numbering', 'numbering.xml'],
    }),
    'word/styles.xml': `${declaration}<w:styles xmlns:w="${main}/wordprocessingml/2006/main">${style('T', 'Title')}${style('H2', 'heading 2')}</w:styles>`,
    'word/numbering.xml': `${declaration}<w:numbering xmlns:w="${main}/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    'word/document.xml': `${declaration}<w:document xmlns:w="${main}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/** A paragraph of a Word document. @param properties such as `<w:pStyle w:val="T"/>` */
export function wordParagraph(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** @param sheets rows of each sheet, as XML */
export function xlsx(sheets: Readonly<Record<string, string>>, strings: readonly string[] = []): Uint8Array {
  const names = Object.keys(sheets);
  const parts = Object.fromEntries(
    Object.values(sheets).map((rows, at) => [
      `xl/worksheets/sheet${at + 1}.xml`,
      `${declaration}<worksheet xmlns="${main}/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
    ]),
  );
  return archive({
    '[Content_Types].xml': contentTypes({ '/xl/workbook.xml': 'spreadsheetml.sheet.main' }),
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}/spreadsheetml/2006/main" xmlns:r="${main}/officeDocument/2006/relationships"><sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      ...Object.fromEntries(
        names.map((_, at) => [`s${at + 1}`, ['worksheet', `worksheets/sheet${at + 1}.xml`]]),
      ),
      strings: ['sharedStrings', 'sharedStrings.xml'],
      styles: ['styles', '/xl/styles.xml'],
    }),
    'xl/sharedStrings.xml': `${declaration}<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    // Styles 0 to 4: as it is, a date, a percentage, a format of its own, a span of time.
    'xl/styles.xml': `${declaration}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00&quot; EUR&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
    ...parts,
  });
}

/** @param slides the shapes of each slide, as XML; `notes` of the first slide */
export function pptx(slides: readonly string[], notes: string | null = null): Uint8Array {
  const slide = (shapes: string) =>
    `${declaration}<p:sld xmlns:a="a" xmlns:p="p" xmlns:r="r"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
  const parts = Object.fromEntries(
    slides.map((shapes, at) => [`ppt/slides/slide${at + 1}.xml`, slide(shapes)]),
  );
  // The order of the show is not that of the names.
  const order = slides.map((_, at) => `<p:sldId id="${300 - at}" r:id="s${at + 1}"/>`);
  return archive({
    '[Content_Types].xml': contentTypes({ '/ppt/presentation.xml': 'presentationml.presentation.main' }),
    'ppt/presentation.xml': `${declaration}<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${order.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      Object.fromEntries(slides.map((_, at) => [`s${at + 1}`, ['slide', `slides/slide${at + 1}.xml`]])),
    ),
    ...parts,
    ...(notes !== null && {
      'ppt/slides/_rels/slide1.xml.rels': relationships({
        n1: ['notesSlide', '../notesSlides/notesSlide1.xml'],
      }),
      'ppt/notesSlides/notesSlide1.xml': slide(notes),
    }),
  });
}

/** A shape of a slide. @param type of its placeholder; '' for the body of the layout */
export function shape(type: string, ...paragraphs: readonly string[]): string {
  return `<p:sp><p:nvSpPr><p:nvPr><p:ph${type && ` type="${type}"`}/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
}

export function slideParagraph(text: string, level = 0): string {
  return `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
}

function openDocument(
  mediaType: string,
  body: string,
  options: { encrypted?: boolean; styles?: string; parts?: Readonly<Record<string, string>> },
): Uint8Array {
  const more = Object.entries(options.parts ?? {}).map(([name, text]) => [name, Buffer.from(text)]);
  const encryption = options.encrypted ? '<m:encryption-data/>' : '';
  const parts: Zippable = {
    // First and as it is, so that the type can be told from the start of the file.
    mimetype: [Buffer.from(mediaType), { level: 0 }],
    'META-INF/manifest.xml': Buffer.from(
      `<m:manifest xmlns:m="m"><m:file-entry m:full-path="content.xml">${encryption}</m:file-entry></m:manifest>`,
    ),
    'content.xml': Buffer.from(
      `<o:document-content xmlns:o="o" xmlns:text="t" xmlns:table="b" xmlns:style="s" xmlns:xlink="x"><o:automatic-styles>${options.styles ?? ''}</o:automatic-styles><o:body>${body}</o:body></o:document-content>`,
    ),
    ...Object.fromEntries(more),
  };
  return zipSync(parts);
}

export function odt(body: string, options: Parameters<typeof openDocument>[2] = {}): Uint8Array {
  return openDocument('application/vnd.oasis.opendocument.text', `<o:text>${body}</o:text>`, options);
}

/** @param options styles of the content, and parts besides it */
export function ods(
  tables: string,
  options: { styles?: string; parts?: Readonly<Record<string, string>> } = {},
): Uint8Array {
  return openDocument(
    'application/vnd.oasis.opendocument.spreadsheet',
    `<o:spreadsheet>${tables}</o:spreadsheet>`,
    options,
  );
}

export function odp(pages: string, options: Parameters<typeof openDocument>[2] = {}): Uint8Array {
  return openDocument(
    'application/vnd.oasis.opendocument.presentation',
    `<o:presentation>${pages}</o:presentation>`,
    options,
  );
}

const courier = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>';

/** What else a PDF has: objects are numbered after those of its pages. */
export interface PdfParts {
  /** More of the trailer, such as `/Encrypt`. */
  readonly trailer?: string;
  /** More of the catalog. */
  readonly catalog?: string;
  /** More of each page. */
  readonly page?: string;
  /** Fonts beside `/F1` and `/F2`. */
  readonly fonts?: string;
  /** Objects, of which the first has the number 4 plus twice the pages. */
  readonly objects?: readonly string[];
}

/** A PDF with the given content streams as its pages. */
export function pdf(pages: readonly string[], parts: PdfParts = {}): Uint8Array {
  const { trailer = '', catalog = '', page = '', fonts = '' } = parts;
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R /F2 ${courier} ${fonts} >> >> /Contents ${5 + 2 * at} 0 R ${page} >>`,
      pdfStream(content),
    ]),
    ...(parts.objects ?? []),
  ];
  let source = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = source.length;
    source += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${source}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${source.length}\n%%EOF\n`,
    'latin1',
  );
}

export function pdfStream(content: string, dictionary = ''): string {
  return `<< /Length ${content.length} ${dictionary} >>\nstream\n${content}\nendstream`;
}

/** The content stream of a page with lines of text; an empty line makes a gap. */
export function pdfLines(...lines: readonly string[]): string {
  const shown = lines.map((line, at) => (line ? `1 0 0 1 50 ${700 - 14 * at} Tm (${line}) Tj` : ''));
  return `BT /F1 12 Tf ${shown.join(' ')} ET`;
}

/** The content stream of a page with a picture of a few pixels on all of it. */
export const pdfPicture = `q 600 0 0 800 0 0 cm BI /W 4 /H 4 /CS /G /BPC 8 ID ${'abcd'.repeat(4)} EI Q`;

/** A piece of text on a page: where its baseline begins, and its font size. */
export type PdfText = readonly [x: number, y: number, text: string, size?: number];

/** The content stream of a page with texts anywhere; `y` counts down from the top of the page. */
export function pdfPage(texts: readonly PdfText[]): string {
  const shown = texts.map(
    ([x, y, text, size = 12]) =>
      `/F1 ${size} Tf 1 0 0 1 ${x} ${800 - y} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj`,
  );
  return `BT ${shown.join(' ')} ET`;
}
