/** Workbooks (XLSX) as Markdown: a table for each sheet, with formatted cells. */
import { dateFromSerial, format, isDateFormat } from 'numfmt';
import { openArchive } from '../archive.ts';
import { type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';
import { relationshipsOf } from '../relationships.ts';
import { sheetCollector } from '../sheets.ts';
import { walkXml } from '../xml.ts';

const workbook = 'xl/workbook.xml';

/** The shared data of a workbook. */
interface Book {
  readonly strings: readonly string[];
  /** Number format of each cell style. */
  readonly formats: readonly string[];
  /** Whether dates count from 1904 (`date1904`). */
  readonly isFrom1904: boolean;
}

export async function readXlsx({ bytes }: SourceFile): Promise<ReaderResult> {
  const archive = await openArchive(bytes);
  const content = await archive.read(workbook);
  if (!content) throw new Unreadable('The file is not a workbook.');
  const relationships = await relationshipsOf(archive, workbook);
  const partOf = (type: string) =>
    [...relationships.values()].find((relationship) => relationship.type === type)?.target ?? '';
  const { sheets, isFrom1904 } = sheetsOf(content);
  const book: Book = {
    strings: stringsOf(await archive.read(partOf('sharedStrings'))),
    formats: formatsOf(await archive.read(partOf('styles'))),
    isFrom1904,
  };
  const collector = sheetCollector();
  for (const { name, relationship } of sheets) {
    const sheet = await archive.read(relationships.get(relationship)?.target ?? '');
    if (!sheet) continue;
    collector.sheet(name);
    readSheet(sheet, book, collector.cell);
  }
  return collector.result();
}

function sheetsOf(content: Buffer) {
  const sheets: { name: string; relationship: string }[] = [];
  let isFrom1904 = false;
  walkXml(content, {
    open({ name, attributes }) {
      if (name === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      // Hidden sheets are skipped.
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      sheets.push({ name: attributes.name ?? '', relationship: attributes['r:id'] ?? '' });
    },
  });
  return { sheets, isFrom1904 };
}

/** The shared strings, with rich-text runs joined and phonetic runs left out. */
function stringsOf(content: Buffer | null): string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isAid = false;
  if (content) {
    walkXml(content, {
      open({ name }) {
        if (name === 'si') text = '';
        else if (name === 'rPh') isAid = true;
        else if (name === 't') isText = !isAid;
      },
      text(value) {
        if (isText) text += value;
      },
      close(name) {
        if (name === 'si') strings.push(text);
        else if (name === 'rPh') isAid = false;
        else if (name === 't') isText = false;
      },
    });
  }
  return strings;
}

/** Built-in number formats (ECMA-376 part 1, 18.8.30). */
const builtInFormats: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'yyyy-mm-dd',
  16: 'yyyy-mm-dd',
  17: 'yyyy-mm-dd',
  18: 'hh:mm',
  19: 'hh:mm:ss',
  20: 'hh:mm',
  21: 'hh:mm:ss',
  22: 'yyyy-mm-dd hh:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};

/** The number format of each cell style, by its position in `cellXfs`. */
function formatsOf(content: Buffer | null): string[] {
  const own = new Map<string, string>();
  const formats: string[] = [];
  let isCellStyles = false;
  if (content) {
    walkXml(content, {
      open({ name, attributes: { numFmtId = '0', formatCode = '' } }) {
        if (name === 'cellXfs') isCellStyles = true;
        else if (name === 'numFmt') own.set(numFmtId, formatCode);
        else if (name === 'xf' && isCellStyles) {
          formats.push(own.get(numFmtId) ?? builtInFormats[Number(numFmtId)] ?? 'General');
        }
      },
      close(name) {
        if (name === 'cellXfs') isCellStyles = false;
      },
    });
  }
  return formats;
}

function readSheet(
  content: Buffer,
  book: Book,
  cell: (row: number, column: number, text: string) => boolean,
): void {
  let at = { row: -1, column: -1 };
  let type = 'n';
  let style = 0;
  let value = '';
  let isValue = false;
  let isFull = false;
  walkXml(content, {
    open({ name, attributes: { r, t, s } }) {
      if (name === 'row') at = { row: r ? Number(r) - 1 : at.row + 1, column: -1 };
      else if (name === 'c') {
        at = { row: at.row, column: r ? columnOf(r) : at.column + 1 };
        [type, style, value] = [t ?? 'n', Number(s ?? 0), ''];
      } else if (name === 'v' || name === 't') isValue = true;
    },
    text(text) {
      if (isValue) value += text;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c' && value !== '' && !isFull) {
        isFull = !cell(at.row, at.column, displayValue(value, type, book.formats[style] ?? 'General', book));
      }
    },
  });
}

/** Zero-based column of a reference such as `BC12`. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? 'A')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** The formatted value of a cell (types: ECMA-376 part 1, 18.18.11). */
function displayValue(value: string, type: string, pattern: string, book: Book): string {
  if (type === 's') return book.strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  const number = Number(value);
  if (type !== 'n' || !Number.isFinite(number)) return value;
  if (isDateFormat(pattern) && !elapsed.test(pattern))
    return isoOf(number + (book.isFrom1904 ? daysTo1904 : 0));
  try {
    return format(pattern, number);
  } catch {
    // Unsupported pattern: the unformatted number.
    return value;
  }
}

/** A duration format: `[h]:mm`. */
const elapsed = /\[(?:h+|m+|s+)\]/i;
const daysTo1904 = 1462;

/** Dates in ISO form: the locale of a workbook is not known. */
function isoOf(serial: number): string {
  const parts = dateFromSerial(serial);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const time = [hour, minute, ...(second >= 1 ? [second] : [])].map(two).join(':');
  if (serial % 1 === 0) return date;
  return serial < 1 ? time : `${date} ${time}`;
}
