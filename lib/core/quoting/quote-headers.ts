/** Where a quote begins: attributions, dividers and header blocks. */
import { attributionStart } from './attributions.ts';
import { everyWord } from './languages.ts';
import { bare, isBlank, isRule, lastCharacter, type Page, trimCharacters } from './lines.ts';
import { dividerPhrases, forwardPhrases, type HeaderRole, headerLabels } from './quote-words.ts';

/** The lines that open a quote: from the first to the one after the last. */
export interface Opener {
  readonly from: number;
  readonly to: number;
}

/** What attributions and dividers end in where they do not end in a colon; shorter lines are rules. */
const dashedEnds = '-–—>*_=~';
const dashedCharactersMin = 8;
/** Sender, date and recipient take up so much at least. */
const collapsedCharactersMin = 40;
const labelCharactersMax = 30;
/** A header block with its wrapped recipients is not longer than this. */
const blockLinesMax = 40;
/** So many lines in a row may belong to the label before them. */
const continuationLinesMax = 6;

/** Labels in lower case, and as they are mostly written. */
const roles: ReadonlyMap<string, HeaderRole> = new Map(
  Object.entries(headerLabels).flatMap(([role, words]) =>
    everyWord(words).flatMap((word): [string, HeaderRole][] => [
      [word, role as HeaderRole],
      [word.charAt(0).toUpperCase() + word.slice(1), role as HeaderRole],
    ]),
  ),
);
const dividers: ReadonlySet<string> = new Set(everyWord(dividerPhrases));
const forwards: ReadonlySet<string> = new Set(everyWord(forwardPhrases));
const inlineLabel = /(?<=\s)(\p{L}[\p{L}\p{M}.'’-]{0,15})\s?[:：]/gu;

/**
 * The opener that line `line` completes (an attribution ends there) or begins (a divider or header block starts
 * there), or null. Lines above `floor` are someone else's.
 */
export function openerAt(page: Page, line: number, floor: number): Opener | null {
  const text = page.lines[line] ?? '';
  const last = lastCharacter(text);
  if (isColon(last.charCodeAt(0)) || (text.length >= dashedCharactersMin && dashedEnds.includes(last))) {
    const start = attributionStart(page, line, floor);
    if (start >= 0) return { from: start, to: line + 1 };
    if (isDivider(text)) return { from: line, to: headerBlockEnd(page, line + 1, true) ?? line + 1 };
  }
  if (roleOf(text) === null) return null;
  const to = headerBlockEnd(page, line, followsRule(page, line, floor));
  return to === null ? null : { from: line, to };
}

/** "-----Original Message-----", or "Begin forwarded message:" on its own. */
function isDivider(line: string): boolean {
  if (line.length < 5 || line.length > 200) return false;
  const text = bare(line).toLowerCase();
  const core = trimCharacters(text, '-–—_=*~> :：');
  if (core === '' || core.length < 3) return false;
  if (/^[-–—_=*~]{2}/.test(text)) return dividers.has(core) || core.startsWith('forwarded by ');
  return /[:：]$/.test(text) && forwards.has(core);
}

/** The line after the header block that begins at `start` (blank lines before it count in after a divider), or null. */
function headerBlockEnd(page: Page, start: number, afterRule: boolean): number | null {
  let line = start;
  if (afterRule) while (line < start + 3 && isBlank(page.lines[line])) line++;
  const first = roleOf(page.lines[line] ?? '');
  if (first === null || first === 'copy') return null;
  if (first === 'from' && isCollapsedBlock(page.lines[line] ?? '')) return line + 1;
  const found = new Set<HeaderRole>();
  let last = line;
  let continued = 0;
  let hasAddress = false;
  let hasTime = false;
  for (let next = line; next < page.lines.length && next < line + blockLinesMax; next++) {
    const text = page.lines[next] ?? '';
    if (isBlank(text)) {
      // Paragraphs of html stand a blank line apart; a second one ends the block.
      if (next + 1 < page.lines.length && roleOf(page.lines[next + 1] ?? '') !== null) continue;
      break;
    }
    const role = roleOf(text);
    if (role === null && ++continued > continuationLinesMax) break;
    if (role !== null) {
      // A label that comes again begins the next message of the chain.
      if (found.has(role) && role !== 'copy') break;
      found.add(role);
      continued = 0;
      last = next;
      hasTime ||= role === 'date' && /\d{1,2}[:.h時时點点]\d{2}|\d{4}/.test(bare(text));
    }
    hasAddress ||= text.slice(0, 400).includes('@');
  }
  return isHeaderBlock(found, hasAddress, hasTime, afterRule) ? last + 1 : null;
}

/** Forms and itineraries have labels too: what makes a header block is who, when, and a sign that it was mail. */
function isHeaderBlock(
  found: ReadonlySet<HeaderRole>,
  hasAddress: boolean,
  hasTime: boolean,
  afterRule: boolean,
): boolean {
  const hasFrom = found.has('from');
  const hasSubject = found.has('subject');
  if (hasFrom && found.size >= 3) {
    return (found.has('date') || found.has('to')) && (hasAddress || hasSubject || hasTime);
  }
  if (found.size < 2) return false;
  if (afterRule) return hasFrom || (found.has('to') && (hasSubject || hasTime));
  return (hasFrom || found.has('to')) && hasTime && hasAddress;
}

/** All of a header block on one line, as html made into text leaves it. */
function isCollapsedBlock(line: string): boolean {
  if (line.length < collapsedCharactersMin) return false;
  const found = new Set<HeaderRole>();
  for (const [, label = ''] of bare(line).slice(0, 600).matchAll(inlineLabel)) {
    const role = roles.get(label.toLowerCase());
    if (role !== undefined) found.add(role);
  }
  return found.has('date') && (found.has('to') || found.has('subject'));
}

function roleOf(line: string): HeaderRole | null {
  let colon = 1;
  while (colon < labelCharactersMax && colon < line.length && !isColon(line.charCodeAt(colon))) colon++;
  if (!isColon(line.charCodeAt(colon))) return null;
  const written = line.slice(0, colon);
  const known = roles.get(written);
  if (known !== undefined) return known;
  const label = bare(written).toLowerCase();
  return roles.get(label) ?? roles.get(label.replace(/^[*_ ]+|[*_ ]+$/g, '')) ?? null;
}

/** `:`, and `：` as wide as an ideograph. */
function isColon(code: number): boolean {
  return code === 0x3a || code === 0xff1a;
}

function followsRule(page: Page, line: number, floor: number): boolean {
  let above = line - 1;
  while (above >= floor && above > line - 3 && isBlank(page.lines[above])) above--;
  return above >= floor && isRule(bare(page.lines[above] ?? ''));
}
