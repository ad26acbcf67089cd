/** The multiparts around a position of a message, and the lines that delimit their parts (RFC 2046 5.1). */

import { dash, lineFeed } from '../text/octets.ts';
import { isBlank, isContentFieldAt, isMimeFieldAt, lineAfter } from './header-end.ts';

/** A multipart whose representations are alternatives of each other; changed while its parts are found. */
export interface Alternative {
  /** Whether one of them is plain text or html. */
  hasText: boolean;
}

/** An open multipart. */
export interface Multipart {
  readonly boundary: string;
  readonly subtype: string;
  /** False where only its closing delimiter is there: what precedes that is no part. */
  readonly hasParts: boolean;
  /** This multipart or the innermost one around it that is `multipart/alternative`. */
  readonly alternative: Alternative | null;
  /** Whether one around it has the same boundary. */
  readonly hasOuterTwin: boolean;
}

/** A line that ends a part. */
export interface Delimiter {
  readonly start: number;
  readonly next: number;
  /** Index of its multipart among the open ones. */
  readonly level: number;
  /** True if it ends the multipart. */
  readonly isClosing: boolean;
}

/** Nesting limit of the MIME parser. */
export const levelsMax = 256;
/** RFC 2046 5.1.1 allows 70 characters; some programs write more. */
export const boundaryMax = 1000;
/** Lines looked at for a boundary that is not declared. */
const presumedMax = 1000;

/** The open multiparts, innermost last. */
export interface OpenMultiparts {
  readonly depth: () => number;
  readonly at: (level: number) => Multipart | undefined;
  readonly innermost: () => Multipart | undefined;
  readonly push: (multipart: Pick<Multipart, 'boundary' | 'subtype' | 'hasParts'>) => void;
  /** Closes all but the outer `depth` ones. */
  readonly truncate: (depth: number) => void;
  readonly levelOf: (boundary: string) => number | undefined;
  /** How many lines were looked up. */
  readonly looked: () => number;
}

/** @throws Error if they are nested deeper than the MIME parser supports */
export function openMultiparts(): OpenMultiparts {
  const stack: (Multipart & { readonly outerLevel: number | undefined })[] = [];
  const levels = new Map<string, number>();
  let looked = 0;
  return {
    depth: () => stack.length,
    at: (level) => stack[level],
    innermost: () => stack.at(-1),
    push(multipart) {
      if (stack.length >= levelsMax) throw new Error('the parts are nested too deep');
      const isAlternative = multipart.subtype === 'alternative';
      const alternative = isAlternative ? { hasText: false } : (stack.at(-1)?.alternative ?? null);
      const outerLevel = levels.get(multipart.boundary);
      stack.push({ ...multipart, alternative, outerLevel, hasOuterTwin: outerLevel !== undefined });
      levels.set(multipart.boundary, stack.length - 1);
    },
    truncate(depth) {
      while (stack.length > depth) {
        const closed = stack.pop();
        if (closed?.outerLevel !== undefined) levels.set(closed.boundary, closed.outerLevel);
        else levels.delete(closed?.boundary ?? '');
      }
    },
    levelOf(boundary) {
      looked++;
      return levels.get(boundary);
    },
    looked: () => looked,
  };
}

/** The first delimiter at or after a position that begins a line. */
export function nextDelimiter(bytes: Buffer, from: number, open: OpenMultiparts): Delimiter | null {
  if (open.depth() === 0) return null;
  for (let at = nextDashes(bytes, from); at >= 0; at = nextDashes(bytes, at + 2)) {
    const found = delimiterAt(bytes, at, open);
    if (found) return found;
  }
  return null;
}

/** Where the next line that begins with two dashes begins; -1 if there is none. */
function nextDashes(bytes: Buffer, from: number): number {
  const isFirst = from === 0 && bytes[0] === dash && bytes[1] === dash;
  if (isFirst) return 0;
  const at = bytes.indexOf('\n--', Math.max(from - 1, 0));
  return at < 0 ? at : at + 1;
}

/** The delimiter in a line that begins with two dashes; null for other lines. */
export function delimiterAt(bytes: Buffer, start: number, open: OpenMultiparts): Delimiter | null {
  if (open.depth() === 0) return null;
  const next = lineAfter(bytes, start);
  if (next - start > boundaryMax * 2) return null;
  const line = bytes.toString('latin1', start + 2, next).trimEnd();
  const parting = open.levelOf(line);
  if (parting !== undefined) return { start, next, level: parting, isClosing: false };
  if (!line.endsWith('-')) return cutDelimiter(bytes, { start, next, line }, open);
  // Some programs write one dash or three, or a space before them.
  const level = open.levelOf(line.slice(0, -2)) ?? open.levelOf(line.replace(/[ \t]{0,9}-{1,4}$/, ''));
  return level === undefined ? null : { start, next, level, isClosing: true };
}

/** The beginning of a delimiter at the end of a message that was cut off. */
function cutDelimiter(
  bytes: Buffer,
  { start, next, line }: { readonly start: number; readonly next: number; readonly line: string },
  open: OpenMultiparts,
): Delimiter | null {
  if (next < bytes.length || bytes[next - 1] === lineFeed || line === '') return null;
  for (let level = open.depth() - 1; level >= 0; level--) {
    if (open.at(level)?.boundary.startsWith(line)) return { start, next, level, isClosing: true };
  }
  return null;
}

/**
 * The boundary that the lines between two positions use: the first that a MIME field follows, or that a closing one
 * follows. Null if there is none.
 */
export function presumedBoundary(bytes: Buffer, from: number, end: number): string | null {
  const seen = new Set<string>();
  let at = nextDashes(bytes, from);
  for (let lines = 0; at >= 0 && at < end && lines < presumedMax; lines++) {
    const next = lineAfter(bytes, at);
    const line = bytes.toString('latin1', at + 2, Math.min(next, at + boundaryMax)).trimEnd();
    const isBoundary = /[^\s-]/.test(line) && !line.includes('"') && next - at < boundaryMax;
    if (isBoundary && next < end && beginsPart(bytes, next)) return line;
    if (isBoundary && line.endsWith('--') && seen.has(line.slice(0, -2))) return line.slice(0, -2);
    if (isBoundary) seen.add(line);
    at = nextDashes(bytes, next);
  }
  return null;
}

/** Whether the header of a part begins at a position, or below a blank line. */
function beginsPart(bytes: Buffer, at: number): boolean {
  const next = lineAfter(bytes, at);
  return isContentFieldAt(bytes, at) || (isBlank(bytes, at, next) && isMimeFieldAt(bytes, next));
}
