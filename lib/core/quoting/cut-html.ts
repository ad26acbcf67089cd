/** Cuts quotes and signatures out of html: nothing is written anew, so what stays is as it was. */

import { hasMark, marks } from './lines.ts';
import type { HtmlPage } from './read-html.ts';
import { kinds } from './segments.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

const keptNames = new Set(['html', 'body', 'head']);

/** True where a written line shows a picture: a screenshot is an answer, too. */
export function hasWrittenPicture(page: HtmlPage, found: Uint8Array): boolean {
  return found.some((kind, line) => kind === kinds.written && hasMark(page, line, marks.picture));
}

/**
 * The html without what is not of kind `written`: the text, line breaks and pictures of those lines, and each element
 * that is left with nothing in it, from its start tag to its end tag.
 */
export function cutHtml(html: string, page: HtmlPage, found: Uint8Array): string {
  const { elements, pieces } = page;
  const isKept = new Uint8Array(elements.length);
  const isCut = new Uint8Array(elements.length);
  const lastKind = found.at(-1) ?? kinds.written;
  const cuts: Range[] = [];
  for (const piece of pieces) {
    const isWritten = (found[piece.line] ?? lastKind) === kinds.written;
    if (!isWritten) cuts.push(piece);
    if (piece.isSolid && piece.element >= 0) (isWritten ? isKept : isCut)[piece.element] = 1;
  }
  for (let index = elements.length - 1; index >= 0; index--) {
    const parent = elements[index]?.parent ?? -1;
    if (parent < 0) continue;
    isKept[parent] = (isKept[parent] ?? 0) | (isKept[index] ?? 0);
    isCut[parent] = (isCut[parent] ?? 0) | (isCut[index] ?? 0);
  }
  const emptied = elements.filter(
    ({ name }, index) => isCut[index] === 1 && isKept[index] === 0 && !keptNames.has(name),
  );
  return without(html, emptied, cuts);
}

/** The text without two lists of ranges, each in order of where its ranges begin. */
function without(text: string, some: readonly Range[], others: readonly Range[]): string {
  const parts: string[] = [];
  let cursor = 0;
  let i = 0;
  let j = 0;
  while (i < some.length || j < others.length) {
    const a = some[i];
    const b = others[j];
    const isFirst = b === undefined || (a !== undefined && a.from <= b.from);
    const range = isFirst ? a : b;
    if (isFirst) i++;
    else j++;
    if (range === undefined) break;
    if (range.from > cursor) {
      const part = text.slice(cursor, range.from);
      // A stray `<` must not come to stand before a letter and begin a tag.
      parts.push(part.endsWith('<') ? `${part} ` : part);
    }
    cursor = Math.max(cursor, range.to);
  }
  parts.push(text.slice(cursor));
  return parts.join('');
}
