/** OpenDocument spreadsheets (ODS) as Markdown: a table for each sheet, with cells as they are shown, and its notes. */
import { extractionLimits } from '../limits.ts';
import { formulaOf, isUncalculated, textOfCell } from '../ods/cell-value.ts';
import { chartObjectsOf } from '../ods/chart-objects.ts';
import { type SheetStyle, sheetStylesOf } from '../ods/sheet-styles.ts';
import { readOpenDocument } from '../open-document.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';
import { type SheetCollector, sheetCollector } from '../sheets.ts';
import { type Tag, walkXml } from '../xml.ts';

type Attributes = Tag['attributes'];

/** A row or cell, repeated so many times; empty ones are often repeated a million times. */
interface Run {
  readonly at: number;
  readonly times: number;
}

interface Row extends Run {
  readonly isHidden: boolean;
  readonly cells: Map<number, string>;
}

interface Cell extends Run {
  readonly attributes: Attributes;
}

/** Text that stands together: of a cell, or of a comment or shape inside of it. */
interface Texts {
  text: string;
  author: string;
}

/** Words that are missing, or not of this file. */
interface Losses {
  formulas: number;
  objects: number;
  hasLinks: boolean;
}

/** Elements whose text is not shown: changes of the past, messages, links, readings of characters. */
const unread = new Set(['tracked-changes', 'content-validations', 'dde-links', 'ruby-text', 'desc', 'title']);
/** Drawn elements with text. */
const shapes = new Set(
  'text-box custom-shape rect ellipse circle line polyline polygon regular-polygon path connector caption measure'.split(
    ' ',
  ),
);

export async function readOds({ bytes }: SourceFile): Promise<ReaderResult> {
  const { archive, content, styles } = await readOpenDocument(bytes);
  const collector = sheetCollector();
  const losses: Losses = { formulas: 0, objects: 0, hasLinks: false };
  const objects = await chartObjectsOf(archive);
  readTables(content, { styles: sheetStylesOf(content, styles), objects, collector, losses });
  const { formulas, objects: unreadObjects, hasLinks } = losses;
  return collector.result(
    [
      ...(formulas > 0 ? [`Formulas without a result in the file, shown as formulas: ${formulas}.`] : []),
      ...(unreadObjects > 0
        ? [`Files or objects inside the workbook that are not read: ${unreadObjects}.`]
        : []),
    ],
    hasLinks ? ['Values from other workbooks are those of when the file was saved.'] : [],
  );
}

interface Reading {
  readonly styles: ReadonlyMap<string, SheetStyle>;
  /** Texts of charts, by the folder of the object. */
  readonly objects: ReadonlyMap<string, readonly string[]>;
  readonly collector: SheetCollector;
  readonly losses: Losses;
}

/** Handlers of elements, by local name. */
interface Handlers {
  readonly opened: Readonly<Record<string, (attributes: Attributes) => void>>;
  readonly closed: Readonly<Record<string, () => void>>;
  /** Ends a comment or shape. */
  note(label: string): void;
}

function readTables(content: Buffer, reading: Reading): void {
  /** The cell, and the comments and shapes in it. */
  const open: Texts[] = [];
  const { opened, closed, note } = tableHandlers(reading, open);
  let tables = 0;
  let skipped = 0;
  let paragraphs = 0;
  let isAuthor = false;
  walkXml(content, {
    open(tag) {
      const name = cellName(tag.name);
      if (skipped > 0 || isUnread(tag, reading.losses)) {
        skipped++;
        return;
      }
      if (name === 'table') tables++;
      // A table inside of a cell is part of its text.
      if (tables < 2) opened[name]?.(tag.attributes);
      if (name === 'annotation' || shapes.has(name)) open.push({ text: '', author: '' });
      const texts = open.at(-1);
      if (texts && name in spaces) texts.text += ' ';
      if (name === 'p') paragraphs++;
      isAuthor = name === 'creator';
      reading.collector.note('Text box', tag.attributes['form:label'] ?? '');
    },
    text(value) {
      const texts = open.at(-1);
      if (!texts || skipped > 0) return;
      if (isAuthor) texts.author += value;
      else if (paragraphs > 0) texts.text += value;
    },
    close(tag) {
      const name = cellName(tag);
      if (skipped > 0) {
        skipped--;
        return;
      }
      isAuthor = false;
      if (name === 'p') paragraphs--;
      if (tables < 2) closed[name]?.();
      if (shapes.has(name)) note('Text box');
      if (name === 'table') tables--;
    },
  });
}

function tableHandlers({ styles, objects, collector, losses }: Reading, open: Texts[]): Handlers {
  let columns = 0;
  let row = noRow();
  let cell = noCell();
  const note = (label: string) => {
    const ended = open.pop();
    if (ended) collector.note(label + (ended.author.trim() && ` by ${ended.author.trim()}`), ended.text);
  };
  const opened: Handlers['opened'] = {
    table: (attributes) => {
      const style = styles.get(attributes['table:style-name'] ?? '');
      collector.sheet(attributes['table:name'] ?? '', style?.isHidden ?? false);
      for (const [label, text] of style?.margins ?? []) collector.note(label, text);
      [columns, row] = [0, noRow()];
    },
    'table-column': (attributes) => {
      const times = repeated(attributes['table:number-columns-repeated']);
      if (isHidden(attributes)) collector.hideColumns(columns, columns + times - 1);
      columns += times;
    },
    'table-row': (attributes) => {
      const times = repeated(attributes['table:number-rows-repeated']);
      row = { at: row.at + row.times, times, isHidden: isHidden(attributes), cells: new Map() };
      cell = noCell();
    },
    'table-cell': (attributes) => {
      losses.hasLinks ||= elsewhere.test(attributes['table:formula'] ?? '');
      const times = repeated(attributes['table:number-columns-repeated']);
      cell = { at: cell.at + cell.times, times, attributes };
      open.push({ text: '', author: '' });
    },
    object: (attributes) => {
      const texts = objects.get((attributes['xlink:href'] ?? '').replace(/^\.\//, ''));
      if (!texts) losses.objects++;
      for (const text of texts ?? []) collector.note('Chart', text);
    },
    'object-ole': () => {
      losses.objects++;
    },
  };
  const closed: Handlers['closed'] = {
    'table-cell': () => endCell(cell, open.pop()?.text ?? '', row.cells, losses),
    'table-row': () => endRow(row, collector),
    annotation: () => note(`Comment on ${reference(row, cell)}`),
  };
  return { opened, closed, note };
}

/** Adds a cell to its row. @param shown what the writer displayed */
function endCell(
  { at, times, attributes }: Cell,
  shown: string,
  cells: Map<number, string>,
  losses: Losses,
): void {
  const isLost = isUncalculated(attributes, shown);
  const text = isLost ? formulaOf(attributes) : textOfCell(attributes, shown);
  if (isLost) losses.formulas++;
  if (text.trim() === '') return;
  // One cell beyond the limit of columns is enough to tell that there are more.
  const last = Math.max(at + 1, Math.min(at + times, extractionLimits.columns + 1));
  for (let column = at; column < last; column++) cells.set(column, text);
}

function endRow({ at, times, isHidden, cells }: Row, collector: SheetCollector): void {
  if (cells.size === 0) return;
  let isFull = false;
  for (let copy = 0; copy < times && !isFull; copy++) {
    if (isHidden) collector.hideRow(at + copy);
    for (const [column, text] of cells) isFull ||= !collector.cell(at + copy, column, text);
  }
}

const noRow = (): Row => ({ at: 0, times: 0, isHidden: false, cells: new Map() });
const noCell = (): Cell => ({ at: 0, times: 0, attributes: {} });

/** Cells under a merged cell can have text too. */
const cellName = (name: string) => (name === 'covered-table-cell' ? 'table-cell' : name);
const spaces = { p: true, s: true, tab: true, 'line-break': true };

/** Elements that are not shown. Copies of sheets of other workbooks have such a name: `'file:///a.ods'#$Sheet1`. */
function isUnread({ name, attributes }: Tag, losses: Losses): boolean {
  const isCopy = name === 'table' && /^'.*'#/.test(attributes['table:name'] ?? '');
  if (isCopy) losses.hasLinks = true;
  return isCopy || unread.has(name);
}

/** A reference to a sheet of another workbook. */
const elsewhere = /'[a-z]{2,10}:\/\/[^']*'#/i;

function isHidden(attributes: Attributes): boolean {
  return (attributes['table:visibility'] ?? 'visible') !== 'visible';
}

/** A reference such as `B2`. */
function reference(row: Run, cell: Run): string {
  let letters = '';
  for (let left = cell.at + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return `${letters}${row.at + 1}`;
}

function repeated(count: string | undefined): number {
  return Math.max(1, Math.floor(Number(count ?? 1)) || 1);
}
