/** Owns the recognition of quote headers: attributions, dividers and header blocks. */
import { endsInAttributionVerb, findAttributionStart } from './attributions.ts';
import { allWords, alternatives } from './languages.ts';
import {
  dividerPhrases,
  forwardPhrases,
  type HeaderField,
  headerLabels,
  replyMarkerPhrases,
} from './quote-header-words.ts';
import {
  isBlank,
  isHorizontalRule,
  lastVisibleCharacter,
  normalizeLine,
  type TextDocument,
  trimCharacters,
} from './text-document.ts';

/** The lines of a quote header: from the first up to but not including `to`. */
export interface QuoteHeader {
  readonly from: number;
  readonly to: number;
}

/** Last characters of attributions and dividers that do not end in a colon. Shorter lines are horizontal rules. */
const dashedEnds = '-–—>*_=~#®';
const dashedCharactersMin = 8;
/** Minimum length of sender, date and recipient on one line. */
const oneLineCharactersMin = 40;
const labelCharactersMax = 30;
const lineCharactersMax = 400;
const phraseCharactersMax = 60;
/** Runs of dashes that are searched for a divider within a line. */
const inlineDashesMax = 8;
/** Includes wrapped recipients. */
const blockLinesMax = 40;
/** Consecutive lines without a label that continue the field above them. */
const continuationLinesMax = 6;

/** Keyed by label in lower case and capitalised: the common spellings need no conversion. */
const fieldsByLabel: ReadonlyMap<string, HeaderField> = new Map(
  Object.entries(headerLabels).flatMap(([field, words]) =>
    allWords(words).flatMap((word): [string, HeaderField][] => [
      [word, field as HeaderField],
      [word.charAt(0).toUpperCase() + word.slice(1), field as HeaderField],
    ]),
  ),
);
/** "-- Reply above this line --", which help desks write above quotes. */
const replyAboveLine = new RegExp(alternatives(allWords(replyMarkerPhrases)), 'iu');
/** Tobit David writes "Original Message processed by david®" above the quote. */
const processedBy = /^original message processed by \S{1,20}$/;
const dividers: ReadonlySet<string> = new Set(allWords(dividerPhrases));
const forwardHeadings: ReadonlySet<string> = new Set(allWords(forwardPhrases));
const inlineLabel = /(?<=[\s>)\]\d;])(\p{L}[\p{L}\p{M}.'’-]{0,15})\s?[:：]/gu;

/**
 * The quote header that ends at `line` (an attribution) or begins there (a divider or header block), or null. It includes
 * no line above `floor`.
 */
export function findQuoteHeader(document: TextDocument, line: number, floor: number): QuoteHeader | null {
  const text = document.lines[line] ?? '';
  const last = lastVisibleCharacter(text);
  if (isColon(last.charCodeAt(0)) || (text.length >= dashedCharactersMin && dashedEnds.includes(last))) {
    const start = findAttributionStart(document, line, floor);
    if (start >= 0) return { from: start, to: line + 1 };
    if (isDivider(text)) return { from: line, to: headerBlockEnd(document, line + 1, true) ?? line + 1 };
  }
  if (text.length <= lineCharactersMax && endsInAttributionVerb(text)) {
    const start = findAttributionStart(document, line, floor);
    if (start >= 0) return { from: start, to: line + 1 };
  }
  if (text.startsWith('---') && inlineDividerBreaks(text).length > 0) return { from: line, to: line + 1 };
  if (headerFieldOf(text) === null) return null;
  const to = headerBlockEnd(document, line, followsRule(document, line, floor));
  return to === null ? null : { from: line, to };
}

/** True for "-----Original Message-----", and for "Begin forwarded message:" on a line of its own. */
function isDivider(line: string): boolean {
  if (line.length < 5 || line.length > 200) return false;
  const text = normalizeLine(line).toLowerCase();
  const core = trimCharacters(text, '-–—_=*~> :：');
  if (core === '' || core.length < 3) return false;
  if (/^##-.{10,}-##$/.test(text)) return true;
  if (text.length <= 120 && replyAboveLine.test(text))
    return /^[^\p{L}]/u.test(text) && /[^\p{L}]$/u.test(text);
  if (/^[-–—_=*~]{2}/.test(text)) return dividers.has(core) || core.startsWith('forwarded by ');
  if (processedBy.test(text)) return true;
  return /[:：]$/.test(text) && forwardHeadings.has(core);
}

/** Offsets of the beginning and end of a divider within a line that has text before it, or a header label after it. */
export function inlineDividerBreaks(line: string): readonly number[] {
  let from = line.indexOf('---');
  for (let run = 0; from >= 0 && run < inlineDashesMax; run++) {
    let to = from;
    while (line.charCodeAt(to) === 45) to++;
    const close = line.slice(to, to + phraseCharactersMax).indexOf('--');
    if (
      close > 0 &&
      dividers.has(
        line
          .slice(to, to + close)
          .trim()
          .toLowerCase(),
      )
    ) {
      let end = to + close;
      while (line.charCodeAt(end) === 45) end++;
      const rest = line.slice(end, end + lineCharactersMax).trimStart();
      if (rest !== '' && headerFieldOf(rest) === null) return [];
      return [from, end].filter(
        (offset) => /\S/.test(line.slice(0, Math.min(offset, 200))) && offset < line.length,
      );
    }
    from = line.indexOf('---', to);
  }
  return [];
}

/** The line after the header block that begins at `start` (after a divider, blank lines may precede it), or null. */
function headerBlockEnd(document: TextDocument, start: number, afterRule: boolean): number | null {
  const line = afterRule ? afterBlankLines(document, start) : start;
  const first = headerFieldOf(document.lines[line] ?? '');
  if (first === null || first === 'copy') return null;
  if (isOneLineBlock(document.lines[line] ?? '')) return line + 1;
  const block = readHeaderBlock(document, line);
  return isHeaderBlock(block, afterRule) ? block.last + 1 : null;
}

interface HeaderBlock {
  readonly found: Set<HeaderField>;
  /** Its last line with a label. */
  last: number;
  hasAddress: boolean;
  hasTime: boolean;
}

function readHeaderBlock(document: TextDocument, line: number): HeaderBlock {
  const block: HeaderBlock = { found: new Set(), last: line, hasAddress: false, hasTime: false };
  for (let next = line; next < document.lines.length && next < line + blockLinesMax; next++) {
    const text = document.lines[next] ?? '';
    if (isBlank(text)) {
      // Html paragraphs are a blank line apart; a second blank line ends the block.
      if (headerFieldOf(document.lines[next + 1] ?? '') === null) break;
      continue;
    }
    const field = headerFieldOf(text);
    if (field === null && next - block.last > continuationLinesMax) break;
    // A repeated label begins the next message of the chain.
    if (field !== null && field !== 'copy' && block.found.has(field)) break;
    if (field !== null) {
      block.found.add(field);
      block.last = next;
    }
    block.hasTime ||= field === 'date' && /\d{1,2}[:.h時时點点]\d{2}|\d{4}/.test(normalizeLine(text));
    block.hasAddress ||= text.slice(0, 400).includes('@');
  }
  return block;
}

/** The line after at most three blank lines. */
function afterBlankLines({ lines }: TextDocument, start: number): number {
  let line = start;
  while (line < start + 3 && isBlank(lines[line])) line++;
  return line;
}

/** Forms and itineraries have labels too: a header block needs a sender, a time and a sign of mail. */
function isHeaderBlock({ found, hasAddress, hasTime }: HeaderBlock, afterRule: boolean): boolean {
  const hasFrom = found.has('from');
  const hasSubject = found.has('subject');
  if (hasFrom && found.size >= 3) {
    return (found.has('date') || found.has('to')) && (hasAddress || hasSubject || hasTime);
  }
  if (found.size < 2) return false;
  if (afterRule) return hasFrom || (found.has('to') && (hasSubject || hasTime));
  return (hasFrom || found.has('to')) && hasTime && hasAddress;
}

/** True for a whole header block on one line, as some converters of html write it. */
function isOneLineBlock(line: string): boolean {
  if (line.length < oneLineCharactersMin) return false;
  const found = new Set<HeaderField>();
  for (const [, label = ''] of normalizeLine(line).slice(0, 600).matchAll(inlineLabel)) {
    const field = fieldsByLabel.get(label.toLowerCase());
    if (field !== undefined) found.add(field);
  }
  return found.size >= 3 || (found.has('date') && (found.has('to') || found.has('subject')));
}

function headerFieldOf(line: string): HeaderField | null {
  let colon = 1;
  while (colon < labelCharactersMax && colon < line.length && !isColon(line.charCodeAt(colon))) colon++;
  if (!isColon(line.charCodeAt(colon))) return null;
  const written = line.slice(0, colon);
  const known = fieldsByLabel.get(written);
  if (known !== undefined) return known;
  const label = normalizeLine(written).toLowerCase();
  return fieldsByLabel.get(label) ?? fieldsByLabel.get(label.replace(/^[*_ ]+|[*_ ]+$/g, '')) ?? null;
}

/** `:`, and the full-width `：`. */
function isColon(code: number): boolean {
  return code === 0x3a || code === 0xff1a;
}

function followsRule(document: TextDocument, line: number, floor: number): boolean {
  let above = line - 1;
  while (above >= floor && above > line - 3 && isBlank(document.lines[above])) above--;
  return above >= floor && isHorizontalRule(normalizeLine(document.lines[above] ?? ''));
}
