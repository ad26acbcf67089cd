/** The pages of a PDF as Markdown: headings by font size, lists by their markers, tables by their columns. */
import { escapeText, markdownTable, oneLine } from '../markdown.ts';
import { readDownColumns } from './columns.ts';
import { linesOf } from './lines.ts';
import type { Piece } from './pieces.ts';
import { lineDistance, type Row, rowsOf } from './rows.ts';
import { tableAt } from './tables.ts';
import { withVerticalLines } from './upright.ts';

/** A line distance of more than this many font sizes begins a paragraph. */
const paragraphDistance = 1.7;
/** A heading is this much larger than the body text. */
const headingRatio = 1.12;
const headingCharactersMax = 200;
/** A page has fewer; the search for a list stays bounded. */
const listItemsMax = 500;
const headingLevels = 6;
/** Sizes that differ by less are the same. */
const sizeStep = 0.5;

/** Bullets, also those of symbol fonts in the private use area. */
const bullet = /^(?:[•‣◦▪▫●○■□❖➢➔►✓✔·∙*–—-]|[\u{f020}-\u{f0ff}])\s+(?=\S)/u;
const ordinal = /^(\d{1,3})([.)])\s+(?=\S)/;

/** A page, read but not yet written: levels of headings depend on the whole document. */
export interface PageRows {
  readonly rows: readonly Row[];
  /** Characters of its text. */
  readonly size: number;
}

export function readPage(pieces: readonly Piece[]): PageRows {
  const rows = rowsOf(readDownColumns(linesOf(withVerticalLines(pieces))));
  return {
    rows,
    size: rows.reduce((sum, { cells }) => sum + cells.reduce((all, { text }) => all + text.length, 0), 0),
  };
}

/** Pages as Markdown; an empty string for a page without text. */
export function markdownOfPages(pages: readonly PageRows[]): string[] {
  const levels = headingLevelsOf(pages);
  return pages.map(({ rows }) => pageText(rows, levels));
}

/** The level of each font size that is a heading's, by rounded size. */
type HeadingLevels = ReadonlyMap<number, number>;

function headingLevelsOf(pages: readonly PageRows[]): HeadingLevels {
  const characters = new Map<number, number>();
  for (const { rows } of pages) {
    for (const { size, cells } of rows) {
      const length = cells.reduce((sum, { text }) => sum + text.length, 0);
      characters.set(rounded(size), (characters.get(rounded(size)) ?? 0) + length);
    }
  }
  const [body = 0] = [...characters].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const sizes = [...characters.keys()]
    .filter((size) => size >= body * headingRatio)
    .toSorted((a, b) => b - a);
  return new Map(sizes.map((size, at) => [size, Math.min(at + 1, headingLevels)]));
}

const rounded = (size: number): number => Math.round(size / sizeStep) * sizeStep;

function pageText(rows: readonly Row[], levels: HeadingLevels): string {
  const blocks: string[] = [];
  for (let at = 0; at < rows.length; ) {
    const block =
      headingAt(rows, at, levels) ??
      listAt(rows, at) ??
      tableBlock(rows, at) ??
      paragraphAt(rows, at, levels);
    blocks.push(block.text);
    at = block.end;
  }
  return blocks.filter((text) => text !== '').join('\n\n');
}

interface Block {
  readonly text: string;
  /** Index after its last row. */
  readonly end: number;
}

function headingLevel(row: Row | undefined, levels: HeadingLevels): number | undefined {
  if (row?.cells.length !== 1) return undefined;
  const [{ text }] = row.cells;
  return text.length <= headingCharactersMax && /[\p{L}\p{N}]/u.test(text)
    ? levels.get(rounded(row.size))
    : undefined;
}

/** A heading, which may take several lines. */
function headingAt(rows: readonly Row[], start: number, levels: HeadingLevels): Block | null {
  const level = headingLevel(rows[start], levels);
  if (level === undefined) return null;
  const texts: string[] = [];
  let end = start;
  let length = 0;
  for (let row = rows[end]; row && headingLevel(row, levels) === level; row = rows[++end]) {
    if (end > start && (!isNextLine(rows[end - 1], row) || length > headingCharactersMax)) break;
    texts.push(textOf(row));
    length += textOf(row).length;
  }
  return { text: `${'#'.repeat(level)} ${oneLine(texts.join(' '))}`, end };
}

function tableBlock(rows: readonly Row[], start: number): Block | null {
  const table = tableAt(rows, start);
  return table && { text: markdownTable(table.rows), end: table.end };
}

/** A list item: its marker, and where marker and text begin. */
interface Marker {
  readonly written: string;
  readonly text: string;
  readonly left: number;
}

function markerOf(row: Row | undefined): Marker | null {
  if (!row) return null;
  const [{ text: first, left }, ...others] = row.cells;
  const text = textOf(row);
  const found = bullet.exec(text);
  // Word writes second-level bullets as a lone `o`.
  if (!found && !(first === 'o' && others.length > 0)) {
    const number = ordinal.exec(text);
    return number && { written: `${number[1]}${number[2]}`, text: text.slice(number[0].length), left };
  }
  return { written: '-', text: text.slice(found ? found[0].length : 2), left };
}

/** A list: items with bullets, or with numbers that follow one another. Deeper items are indented. */
function listAt(rows: readonly Row[], start: number): Block | null {
  const items = itemsFrom(rows, start);
  const end = items.at(-1)?.end ?? start;
  if (items.length === 0 || !isList(items.map(({ marker }) => marker))) return null;
  const lines: string[] = [];
  const open: { left: number; indent: number }[] = [];
  for (const { marker, texts, size } of items) {
    while (open.length > 0 && (open.at(-1)?.left ?? 0) >= marker.left - size / 2) open.pop();
    const indent = open.at(-1)?.indent ?? 0;
    open.push({ left: marker.left, indent: indent + marker.written.length + 1 });
    const text = escapeText(texts.join('\n')).replaceAll(
      '\n',
      `\n${' '.repeat(indent + marker.written.length + 1)}`,
    );
    lines.push(`${' '.repeat(indent)}${marker.written} ${text}`);
  }
  return { text: lines.join('\n'), end };
}

function itemsFrom(rows: readonly Row[], start: number) {
  const items: { marker: Marker; texts: string[]; size: number; end: number }[] = [];
  for (let at = start; at < rows.length; at++) {
    const row = rows[at];
    const item = items.at(-1);
    if (!row || items.length >= listItemsMax || (item && !isFollowing(rows[at - 1], row))) break;
    const marker = markerOf(row);
    const isItem =
      marker !== null &&
      (items.length === 0 ||
        belongs(
          items.map((one) => one.marker),
          marker,
        ));
    if (isItem) items.push({ marker, texts: [marker.text], size: row.size, end: at + 1 });
    else if (item && row.left > item.marker.left + row.size / 3 && isNextLine(rows[at - 1], row)) {
      item.texts.push(textOf(row));
      item.end = at + 1;
    } else break;
  }
  return items;
}

const isNumber = ({ written }: Marker): boolean => written !== '-';

/** Whether a marker is of the list so far: a bullet, or the next number of its level, or the first of a deeper one. */
function belongs(markers: readonly Marker[], marker: Marker): boolean {
  const [first] = markers;
  const isOuter = first !== undefined && marker.left < first.left + 3;
  if (isOuter && isNumber(first) !== isNumber(marker)) return false;
  if (!isNumber(marker)) return true;
  const before = markers.findLast((one) => isNumber(one) && Math.abs(one.left - marker.left) < 3);
  return Number.parseInt(marker.written, 10) === (before ? Number.parseInt(before.written, 10) + 1 : 1);
}

/** One number alone is a date or a quantity at the start of a line. */
function isList(markers: readonly Marker[]): boolean {
  return markers.length > 1 || markers.some((marker) => !isNumber(marker));
}

function paragraphAt(rows: readonly Row[], start: number, levels: HeadingLevels): Block {
  const texts: string[] = [];
  let end = start;
  for (let row = rows[end]; row; row = rows[++end]) {
    const isFirst = end === start;
    if (!isFirst && (!isParagraphLine(rows[end - 1], row) || headingLevel(row, levels) !== undefined)) break;
    if (!isFirst && (listAt(rows, end) || tableAt(rows, end))) break;
    texts.push(textOf(row));
  }
  return { text: escapeText(texts.join('\n')), end };
}

/** Cells that are no table: on one line, or below one another where they have lines. */
function textOf({ cells }: Row): string {
  const texts = cells.map(({ text }) => text);
  return texts.join(texts.some((text) => text.includes('\n')) ? '\n' : ' ');
}

function isNextLine(above: Row | undefined, row: Row): boolean {
  const distance = (above?.bottom ?? 0) - row.top;
  return distance > 0 && distance <= lineDistance * Math.max(row.size, above?.size ?? 0);
}

function isParagraphLine(above: Row | undefined, row: Row): boolean {
  return Math.abs((above?.bottom ?? 0) - row.top) <= paragraphDistance * Math.max(row.size, above?.size ?? 0);
}

/** Items of a list may be further apart than lines. */
function isFollowing(above: Row | undefined, row: Row): boolean {
  const distance = (above?.bottom ?? 0) - row.top;
  return distance > 0 && distance <= 2 * paragraphDistance * row.size;
}
