/** Owns the classification of lines: written by the author, quoted, or signature. */

import { findColoredAnswers } from './colored-answers.ts';
import { findQuoteHeader } from './quote-headers.ts';
import { findFooterAtEnd, findSignatures } from './signatures.ts';
import type { Segment } from './text-document.ts';
import {
  hasFlag,
  isBlank,
  isHorizontalRule,
  lineFlags,
  nextNonBlankLine,
  normalizeLine,
  type TextDocument,
} from './text-document.ts';

/** The kind of a line, as a byte of the result of `classifyLines`. */
export const lineKinds = { written: 0, quoted: 1, signature: 2 } as const;

const segmentKinds: readonly Segment['kind'][] = ['written', 'quoted', 'signature'];

/**
 * Returns a `lineKinds` value for each line. Linear: each rule reads a bounded number of lines. A blank line has the kind
 * of the quote or signature beside it, else that of the lines around it.
 */
export function classifyLines(document: TextDocument): Uint8Array {
  return classifyWithAnswers(document).kinds;
}

/** `classifyLines`, and whether the quote holds answers of the author that only their style shows. */
export function classifyWithAnswers(document: TextDocument): {
  readonly kinds: Uint8Array;
  readonly hasAnswers: boolean;
} {
  const kinds = new Uint8Array(document.lines.length);
  markQuotes(document, kinds);
  const answers = findColoredAnswers(document, (line) => kinds[line] === lineKinds.quoted);
  for (const { from, to } of answers) kinds.fill(lineKinds.written, from, to);
  markSignatures(document, kinds);
  classifyBlankLines(document, kinds);
  return { kinds, hasAnswers: answers.length > 0 };
}

/** Builds a segment for each run of lines of one kind, without blank lines at its ends. */
export function buildSegments(document: TextDocument, kinds: Uint8Array): Segment[] {
  const segments: Segment[] = [];
  for (let from = 0, to = 0; from < kinds.length; from = to) {
    const kind = kinds[from] ?? lineKinds.written;
    while (to < kinds.length && kinds[to] === kind) to++;
    const text = joinLines(document, from, to);
    if (text !== '') segments.push({ kind: segmentKinds[kind] ?? 'written', text });
  }
  return segments;
}

/** The lines from `from` up to but not including `to` as displayed, without blank lines at the ends. */
export function joinLines(document: TextDocument, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(document.lines[start])) start++;
  while (end > start && isBlank(document.lines[end - 1])) end--;
  return document.display.slice(start, end).join('\n').trimEnd();
}

function markQuotes(document: TextDocument, kinds: Uint8Array): void {
  const count = document.lines.length;
  /** The first line that a quote header may include: lines above are classified. */
  let floor = 0;
  for (let line = 0; line < count; line++) {
    if (hasFlag(document, line, lineFlags.quoted)) {
      markRuleAbove(document, kinds, line, floor);
      kinds[line] = lineKinds.quoted;
      floor = line + 1;
      continue;
    }
    if (hasFlag(document, line, lineFlags.signature)) {
      kinds[line] = lineKinds.signature;
      floor = line + 1;
      continue;
    }
    if (isBlank(document.lines[line])) continue;
    const header = findQuoteHeader(document, line, floor);
    if (header === null) {
      if (hasFlag(document, line, lineFlags.attribution)) kinds[line] = lineKinds.quoted;
      continue;
    }
    markRuleAbove(document, kinds, header.from, floor);
    const end = findQuoteEnd(document, header.to);
    kinds.fill(lineKinds.quoted, header.from, end);
    line = end - 1;
    floor = end;
  }
}

/** The quote after a header consists of the lines marked as quoted; without marks, of all lines that follow. */
function findQuoteEnd(document: TextDocument, from: number): number {
  const scope = document.scopeEnd(from - 1);
  const next = nextNonBlankLine(document, from, scope);
  if (hasFlag(document, next, lineFlags.quoted)) return from;
  if (!hasFlag(document, next, lineFlags.quotable) || hasFlag(document, from - 1, lineFlags.quotable))
    return scope;
  let end = next;
  while (end < document.lines.length && hasFlag(document, end, lineFlags.quotable)) end++;
  return end;
}

/** A horizontal rule right above a quote belongs to it. */
function markRuleAbove(document: TextDocument, kinds: Uint8Array, quote: number, floor: number): void {
  let line = quote - 1;
  while (line >= floor && line > quote - 4 && isBlank(document.lines[line])) line--;
  if (
    line >= floor &&
    kinds[line] === lineKinds.written &&
    isHorizontalRule(normalizeLine(document.lines[line] ?? ''))
  ) {
    kinds.fill(lineKinds.quoted, line, quote);
  }
}

/** Looks for signatures in the first and the last written run; runs between quotes have app footers only. */
function markSignatures(document: TextDocument, kinds: Uint8Array): void {
  const runs: { from: number; to: number }[] = [];
  for (let from = 0, to = 0; from < kinds.length; from = to) {
    while (to < kinds.length && kinds[to] === kinds[from]) to++;
    if (kinds[from] !== lineKinds.written || nextNonBlankLine(document, from, to) === to) continue;
    const between = runs.length === 2 ? runs.pop() : undefined;
    runs.push({ from, to });
    const footer = between === undefined ? null : findFooterAtEnd(document, between.from, between.to);
    if (footer !== null) kinds.fill(lineKinds.signature, footer.from, footer.to);
  }
  let hasWritten = false;
  for (const { from, to } of runs) {
    const signatures = findSignatures(document, from, to, hasWritten);
    for (const signature of signatures) kinds.fill(lineKinds.signature, signature.from, signature.to);
    for (let line = from; line < to && !hasWritten; line++) {
      hasWritten = kinds[line] === lineKinds.written && !isBlank(document.lines[line]);
    }
  }
}

function classifyBlankLines(document: TextDocument, kinds: Uint8Array): void {
  let before: number = lineKinds.written;
  for (let from = 0, to = 0; from < kinds.length; from = to) {
    to = from + 1;
    if (!isEmpty(document, from)) {
      before = kinds[from] ?? lineKinds.written;
      continue;
    }
    while (to < kinds.length && isEmpty(document, to)) to++;
    const after = to < kinds.length ? (kinds[to] ?? lineKinds.written) : before;
    kinds.fill(before === lineKinds.written ? after : before, from, to);
  }
}

function isEmpty(document: TextDocument, line: number): boolean {
  return isBlank(document.lines[line]) && !hasFlag(document, line, lineFlags.image);
}
