/** Decoding of `format=flowed` text (RFC 3676). */

/** A line without its quote marks and its stuffing. */
interface Line {
  readonly depth: number;
  readonly text: string;
}

const signatureMark = '-- ';

/**
 * Joins flowed lines into paragraphs. Only lines of the same quote depth are joined (4.5); a signature separator never
 * is (4.3).
 *
 * @param text lines that end in LF
 * @param options.delSp whether the space at a break was added by the sender (`DelSp=yes`)
 */
export function unflow(text: string, { delSp }: { delSp: boolean }): string {
  const lines = text.split('\n').map(readLine);
  let joined = '';
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    const continues = before !== undefined && flowsInto(before, line);
    if (!continues) joined += `${at === 0 ? '' : '\n'}${marks(line)}`;
    const after = lines[at + 1];
    joined += delSp && after !== undefined && flowsInto(line, after) ? line.text.slice(0, -1) : line.text;
  }
  return joined;
}

function flowsInto(line: Line, next: Line): boolean {
  const isFlowed = line.text.endsWith(' ') && line.text !== signatureMark;
  return isFlowed && line.depth === next.depth && next.text !== signatureMark;
}

function readLine(line: string): Line {
  let depth = 0;
  while (line[depth] === '>') depth++;
  return { depth, text: line.slice(line[depth] === ' ' ? depth + 1 : depth) };
}

/** Keeps the space-stuffing of an unquoted line that begins with `>` (4.4). */
function marks({ depth, text }: Line): string {
  if (depth > 0) return `${'>'.repeat(depth)}${text === '' ? '' : ' '}`;
  return text.startsWith('>') ? ' ' : '';
}
