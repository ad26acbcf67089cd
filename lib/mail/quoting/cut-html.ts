/** Owns the removal of quotes and signatures from html. What remains is byte for byte the source. */

import { lineKinds } from './classify-lines.ts';
import type { HtmlDocument } from './parse-html.ts';
import { hasFlag, lineFlags } from './text-document.ts';

interface Cut {
  readonly from: number;
  readonly to: number;
}

const rootElements = new Set(['html', 'body', 'head']);

/** True if a written line shows an image: a screenshot is an answer. */
export function hasWrittenImage(document: HtmlDocument, kinds: Uint8Array): boolean {
  return kinds.some((kind, line) => kind === lineKinds.written && hasFlag(document, line, lineFlags.image));
}

/**
 * Removes the text, line breaks and images of lines whose kind is not `written`, and each element that becomes empty,
 * from its start tag to its end tag.
 *
 * @param kinds a `lineKinds` value for each line of the document
 */
export function cutHtml(html: string, document: HtmlDocument, kinds: Uint8Array): string {
  const { elements, ranges } = document;
  const isKept = new Uint8Array(elements.length);
  const isCut = new Uint8Array(elements.length);
  const lastKind = kinds.at(-1) ?? lineKinds.written;
  const cuts: Cut[] = [];
  for (const range of ranges) {
    const isWritten = (kinds[range.line] ?? lastKind) === lineKinds.written;
    if (!isWritten) cuts.push(range);
    if (range.isSolid && range.element >= 0) (isWritten ? isKept : isCut)[range.element] = 1;
  }
  for (let index = elements.length - 1; index >= 0; index--) {
    const parent = elements[index]?.parent ?? -1;
    if (parent < 0) continue;
    isKept[parent] = (isKept[parent] ?? 0) | (isKept[index] ?? 0);
    isCut[parent] = (isCut[parent] ?? 0) | (isCut[index] ?? 0);
  }
  const emptyElements = elements.filter(
    ({ name }, index) => isCut[index] === 1 && isKept[index] === 0 && !rootElements.has(name),
  );
  return removeRanges(html, emptyElements, cuts);
}

/** Removes two lists of ranges, each sorted by the start of its ranges. */
function removeRanges(text: string, some: readonly Cut[], others: readonly Cut[]): string {
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
      // A stray `<` must not begin a tag with the letter after the cut.
      parts.push(part.endsWith('<') ? `${part} ` : part);
    }
    cursor = Math.max(cursor, range.to);
  }
  parts.push(text.slice(cursor));
  return parts.join('');
}
