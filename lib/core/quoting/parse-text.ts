/** Plain text as a page: lines, and which of them stand behind `>`. */
import { sharedAttribution } from './attributions.ts';
import { isBlank, marks, type Page } from './lines.ts';

type Kind = 'cited' | 'blank' | 'text';

/** Mailers wrap quoted lines at 72 to 80 characters; a line shorter than this was not wrapped. */
const wrappedCharactersMin = 64;
/** A mark further in is part of the text. */
const indentMax = 8;

/**
 * Reads plain text with any line ends. Marked lines that follow one another are one line of the page, and so are blank
 * ones: no rule looks into them, and a message can have millions.
 */
export function readText(text: string): Page {
  const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  const lines: string[] = [];
  const found: number[] = [];
  let above = '';
  let last: Kind | null = null;
  /** Where the line of the page under way begins. */
  let start = 0;

  function finish(end: number): void {
    if (last === null) return;
    lines.push(source.slice(start, end));
    found.push(last === 'cited' ? marks.cited : 0);
  }

  for (let from = 0; from <= source.length; ) {
    const to = lineEnd(source, from);
    const line = source.slice(from, to);
    const isQuote: boolean =
      isCited(line, above) ||
      (last === 'cited' && isBrokenOff(above, line, source.slice(to + 1, lineEnd(source, to + 1))));
    const kind: Kind = isQuote ? 'cited' : isBlank(line) ? 'blank' : 'text';
    if (kind === 'text' || kind !== last) {
      finish(from - 1);
      start = from;
      last = kind;
    }
    const shared = kind === 'text' ? sharedAttribution(line) : -1;
    if (shared > 0) {
      finish(from + shared);
      start = from + shared;
    }
    above = line;
    from = to + 1;
  }
  finish(source.length);
  return { lines, shown: lines, marks: Uint8Array.from(found), scopeEnd: () => lines.length };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** "> quoted", "|> quoted". Arrows that point both ways, and the end of a link that was wrapped, are no quotes. */
export function isCited(line: string, above: string): boolean {
  let start = 0;
  while (start < indentMax && (line.charCodeAt(start) === 32 || line.charCodeAt(start) === 0xa0)) start++;
  const first = line.charAt(start);
  if (first !== '>' && first !== '＞' && !(first === '|' && line.charAt(start + 1) === '>')) return false;
  if (line.endsWith('<<<')) return false;
  const open = above.lastIndexOf('<http');
  return open < 0 || above.includes('>', open) || above.trimStart().startsWith('>');
}

/** True for the rest of a quoted line that a mailer wrapped without marking it. */
function isBrokenOff(above: string, line: string, below: string): boolean {
  return (
    above.length >= wrappedCharactersMin &&
    line.length < wrappedCharactersMin &&
    isCited(below, '') &&
    /^[\p{Ll}\d]/u.test(line) &&
    !/[.?!:]\s*$/.test(above.slice(-4)) &&
    !isBlank(below.replace(/^[\s>]+/, ''))
  );
}
