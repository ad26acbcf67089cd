/** Which lines of a message its author wrote, quoted or signed with. */
import type { Segment } from '../email.ts';
import { bare, hasMark, isBlank, isRule, marks, nextWritten, type Page } from './lines.ts';
import { openerAt } from './quote-headers.ts';
import { signatureOf } from './signatures.ts';

/** One for each line of a page. */
export const kinds = { written: 0, quoted: 1, signature: 2 } as const;

const names: readonly Segment['kind'][] = ['written', 'quoted', 'signature'];

/**
 * The kind of each line. Time grows with the length of the text: each rule looks at a bounded number of lines around
 * the one it is asked about. Blank lines have the kind of what is around them, and beside a quote or a signature that kind.
 */
export function kindsOf(page: Page): Uint8Array {
  const found = new Uint8Array(page.lines.length);
  markQuotes(page, found);
  markSignatures(page, found);
  settleBlanks(page, found);
  return found;
}

/** Runs of lines of one kind, without the blank lines around them. */
export function segmentsOf(page: Page, found: Uint8Array): Segment[] {
  const segments: Segment[] = [];
  for (let from = 0, to = 0; from < found.length; from = to) {
    const kind = found[from] ?? kinds.written;
    while (to < found.length && found[to] === kind) to++;
    const text = textBetween(page, from, to);
    if (text !== '') segments.push({ kind: names[kind] ?? 'written', text });
  }
  return segments;
}

/** Lines of a page as text, without blank lines around. */
export function textBetween(page: Page, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(page.lines[start])) start++;
  while (end > start && isBlank(page.lines[end - 1])) end--;
  return page.shown.slice(start, end).join('\n').trimEnd();
}

function markQuotes(page: Page, found: Uint8Array): void {
  const count = page.lines.length;
  /** The first line that an opener may still take: those above are quoted, signed or spoken for. */
  let floor = 0;
  for (let line = 0; line < count; line++) {
    if (hasMark(page, line, marks.cited)) {
      absorbRule(page, found, line, floor);
      found[line] = kinds.quoted;
      floor = line + 1;
      continue;
    }
    if (hasMark(page, line, marks.signed)) {
      found[line] = kinds.signature;
      floor = line + 1;
      continue;
    }
    if (isBlank(page.lines[line])) continue;
    const opener = openerAt(page, line, floor);
    if (opener === null) {
      if (hasMark(page, line, marks.lead)) found[line] = kinds.quoted;
      continue;
    }
    absorbRule(page, found, opener.from, floor);
    const end = quoteEnd(page, opener.to);
    found.fill(kinds.quoted, opener.from, end);
    line = end - 1;
    floor = end;
  }
}

/** Behind an opener, what is marked as quoted is the quote; where nothing is marked, all that follows. */
function quoteEnd(page: Page, from: number): number {
  const scope = page.scopeEnd(from - 1);
  const next = nextWritten(page, from, scope);
  if (hasMark(page, next, marks.cited)) return from;
  if (!hasMark(page, next, marks.quotable) || hasMark(page, from - 1, marks.quotable)) return scope;
  let end = next;
  while (end < page.lines.length && hasMark(page, end, marks.quotable)) end++;
  return end;
}

/** A rule right above a quote belongs to it. */
function absorbRule(page: Page, found: Uint8Array, quote: number, floor: number): void {
  let line = quote - 1;
  while (line >= floor && line > quote - 4 && isBlank(page.lines[line])) line--;
  if (line >= floor && found[line] === kinds.written && isRule(bare(page.lines[line] ?? ''))) {
    found.fill(kinds.quoted, line, quote);
  }
}

/** Authors sign once: where they stop writing above the quote, or at the end. Between quotes nobody does. */
function markSignatures(page: Page, found: Uint8Array): void {
  const runs: { from: number; to: number }[] = [];
  for (let from = 0, to = 0; from < found.length; from = to) {
    while (to < found.length && found[to] === found[from]) to++;
    if (found[from] !== kinds.written || nextWritten(page, from, to) === to) continue;
    if (runs.length === 2) runs.pop();
    runs.push({ from, to });
  }
  let hasWritten = false;
  for (const { from, to } of runs) {
    const signature = signatureOf(page, from, to, hasWritten);
    if (signature !== null) found.fill(kinds.signature, signature.from, signature.to);
    const wordsEnd = signature?.from ?? to;
    hasWritten ||= nextWritten(page, from, wordsEnd) < wordsEnd;
  }
}

function settleBlanks(page: Page, found: Uint8Array): void {
  let before: number = kinds.written;
  for (let from = 0, to = 0; from < found.length; from = to) {
    to = from + 1;
    if (!isEmpty(page, from)) {
      before = found[from] ?? kinds.written;
      continue;
    }
    while (to < found.length && isEmpty(page, to)) to++;
    const after = to < found.length ? (found[to] ?? kinds.written) : before;
    found.fill(before === kinds.written ? after : before, from, to);
  }
}

function isEmpty(page: Page, line: number): boolean {
  return isBlank(page.lines[line]) && !hasMark(page, line, marks.picture);
}
