/** Owns the parsing of plain text into lines, with those behind `>` flagged as quoted. */
import { inlineAttributionEnd, inlineAttributionStart } from './attributions.ts';
import { inlineDividerBreaks } from './quote-headers.ts';
import { isBlank, isDirectionalMark, lineFlags, type TextDocument } from './text-document.ts';

type LineType = 'quoted' | 'blank' | 'text';

/** Clients wrap quoted lines at 72 to 80 characters; a shorter line was not wrapped. */
const wrappedCharactersMin = 64;
/** A `>` that is indented further is part of the text. */
const indentMax = 8;
/** The beginning of a link or address in angle brackets that continues on the next line. */
const wrappedTarget = /^(?:https?:|mailto:|[^\s<>]*@)/i;
const targetCharactersMax = 300;

/**
 * Parses plain text with any line ends. Never throws; linear in its length. Consecutive quoted lines become one line of
 * the document, and so do blank ones: no rule reads them, and a message can have millions.
 */
export function parseText(text: string): TextDocument {
  const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  const lines: string[] = [];
  const flags: number[] = [];
  let above = '';
  let last: LineType | null = null;
  /** Offset at which the current line of the document begins. */
  let start = 0;

  function endLine(end: number): void {
    if (last === null) return;
    lines.push(source.slice(start, end));
    flags.push(last === 'quoted' ? lineFlags.quoted : 0);
  }

  for (let from = 0; from <= source.length; ) {
    const to = lineEnd(source, from);
    const line = source.slice(from, to);
    const below = () => source.slice(to + 1, lineEnd(source, to + 1));
    const isQuote: boolean =
      (isQuotedLine(line, above) && !isEscapedFrom(line, above, lines, below)) ||
      (last === 'quoted' && isWrappedQuote(above, line, below()));
    const type: LineType = isQuote ? 'quoted' : isBlank(line) ? 'blank' : 'text';
    if (type === 'text' || type !== last) {
      endLine(from - 1);
      start = from;
      last = type;
    }
    for (const offset of type === 'text' ? inlineBreaks(line) : []) {
      endLine(from + offset);
      start = from + offset;
    }
    above = line;
    from = to + 1;
  }
  endLine(source.length);
  return { lines, display: lines, flags: Uint8Array.from(flags), styles: [], scopeEnd: () => lines.length };
}

const noBreaks: readonly number[] = [];

/** Offsets at which quote headers on the same line as other text begin and end. */
function inlineBreaks(line: string): readonly number[] {
  const start = inlineAttributionStart(line);
  if (start > 0) return [start];
  const end = inlineAttributionEnd(line);
  return end > 0 ? [end] : line.includes('---') ? inlineDividerBreaks(line) : noBreaks;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** "> quoted", "|> quoted". False for arrows that point both ways and for the end of a wrapped link or address. */
export function isQuotedLine(line: string, above: string): boolean {
  let start = 0;
  while (start < indentMax && isIndent(line.charCodeAt(start))) start++;
  const first = line.charAt(start);
  if (first !== '>' && first !== '＞' && !(first === '|' && line.charAt(start + 1) === '>')) return false;
  if (line.endsWith('<<<')) return false;
  const open = above.lastIndexOf('<');
  if (open < 0 || above.includes('>', open) || above.trimStart().startsWith('>')) return true;
  return !wrappedTarget.test(above.slice(open + 1, open + 1 + targetCharactersMax));
}

function isIndent(code: number): boolean {
  return code === 32 || code === 0xa0 || (code > 0x2000 && isDirectionalMark(code));
}

/** True for the author's "From …" at the beginning of a line, before which mailboxes put a `>` (RFC 4155). */
function isEscapedFrom(line: string, above: string, lines: readonly string[], below: () => string): boolean {
  if (!line.startsWith('>From ') || isQuotedLine(below(), '')) return false;
  return !/^>|:\s?$/.test(isBlank(above) ? (lines.at(-1) ?? '') : above);
}

/** True for the rest of a quoted line that a client wrapped without a `>`. */
function isWrappedQuote(above: string, line: string, below: string): boolean {
  return (
    above.length >= wrappedCharactersMin &&
    line.length < wrappedCharactersMin &&
    isQuotedLine(below, '') &&
    /^[\p{Ll}\d]/u.test(line) &&
    !/[.?!:]\s*$/.test(above.slice(-4)) &&
    !isBlank(below.replace(/^[\s>]+/, ''))
  );
}
