/**
 * Owns the recognition of the author's answers inside a quote, which only their color or weight tells from the quoted
 * text (docs/concepts/reading-mail.md#stripped-text).
 */

import { closingStrength } from './closings.ts';
import { announcements, pointers } from './colored-answer-words.ts';
import { isGatewayBanner } from './footers.ts';
import { isChromatic } from './html-styles.ts';
import { allWords, wordTest } from './languages.ts';
import { findQuoteHeader } from './quote-headers.ts';
import { hasContact, isNameLike, isSentence } from './signature-lines.ts';
import {
  hasFlag,
  isBlank,
  lineFlags,
  lineStyles,
  normalizeLine,
  type TextDocument,
} from './text-document.ts';

/** A run of lines of one style, without blank lines at its ends. */
interface Run {
  readonly from: number;
  to: number;
  readonly style: number;
  /** The line above it, which it may answer. */
  readonly above: string;
}

/** Lines that are searched for the end of the first header. */
const headerLinesMax = 12;
const announcementCharactersMax = 4000;
const questionsMin = 2;

const announced = wordTest(allWords(announcements));
const pointed = wordTest(allWords(pointers));
/** "[Anna] yes". */
const tag = /^[[【]{1,2}\s?([^[\]【】]{2,30})[\]】]{1,2}/u;
const notTags = /extern|spam|secur|suspicious|image|cid:|http/iu;

/**
 * The lines of answers in the first quoted message: those in a style that differs from the message's own, below a line
 * in that style, if something else shows that they are answers. Linear; most documents have no such line.
 *
 * @param isQuoted whether a line counts as quoted
 */
export function findColoredAnswers(
  document: TextDocument,
  isQuoted: (line: number) => boolean,
): readonly Run[] {
  const { styles } = document;
  const first = styles.findIndex((_, line) => isQuoted(line) && !isBlank(document.lines[line]));
  if (first < 0 || !styles.some((style, line) => line > first && mayAnswer(style) && isQuoted(line)))
    return [];
  const body = headerEnd(document, first);
  const base = styles.find((style, line) => line >= body && style >= 0 && isText(document, line));
  if (base === undefined) return [];
  const runs = contrastingRuns(document, { body, base }, isQuoted);
  const text = document.lines.slice(0, first).join('\n').slice(-announcementCharactersMax);
  const header = document.lines.slice(first, body).join(' ');
  const style = mostFrequent(runs);
  const chosen = runs.filter((run) => run.style === style);
  const tagged = chosen.filter((run) => isTagged(document, run, header));
  if (style === undefined || tagged.length === chosen.length) return tagged;
  if (!isChromatic(style) || colorOf(style) === colorOf(base)) return tagged;
  const questions = chosen.filter(({ above }) => /[?？؟]\s*$/u.test(above)).length;
  const isCertain =
    tagged.length > 0 ||
    announced.isIn(text) ||
    (questions > 0 && pointed.isIn(text)) ||
    (questions >= questionsMin && questions * 2 >= chosen.length);
  return isCertain ? chosen : [];
}

function mayAnswer(style: number): boolean {
  return style > 0 && (isChromatic(style) || (style & lineStyles.bold) !== 0);
}

function colorOf(style: number): number {
  return style & (lineStyles.bold - 1);
}

function isText(document: TextDocument, line: number): boolean {
  return !isBlank(document.lines[line]) && !hasFlag(document, line, lineFlags.attribution);
}

function headerEnd(document: TextDocument, first: number): number {
  for (let line = first; line < Math.min(document.lines.length, first + headerLinesMax); line++) {
    const header = isBlank(document.lines[line]) ? null : findQuoteHeader(document, line, first);
    if (header !== null) return header.to;
  }
  return first;
}

/** The runs up to the next header: what is quoted inside the quote, others may have answered. */
function contrastingRuns(
  document: TextDocument,
  { body, base }: { readonly body: number; readonly base: number },
  isQuoted: (line: number) => boolean,
): Run[] {
  const runs: Run[] = [];
  /** The last line of the message itself; undefined where none is right above. */
  let above: string | undefined;
  let isInRun = false;
  for (let line = body; line < document.lines.length; line++) {
    if (!isText(document, line) || !isQuoted(line)) continue;
    if (findQuoteHeader(document, line, body) !== null) break;
    const style = document.styles[line] ?? 0;
    const text = normalizeLine(document.lines[line] ?? '');
    const isContrast = style > 0 && style !== base && mayAnswer(style);
    const run = isInRun ? runs.at(-1) : undefined;
    if (isContrast && run?.style === style) run.to = line + 1;
    else if (isContrast && above !== undefined) runs.push({ from: line, to: line + 1, style, above });
    isInRun = isContrast && above !== undefined;
    if (!isContrast) above = text;
  }
  return runs.filter((one) => isAnswer(document, one));
}

/** False for the signature of the quoted author, and for warnings. */
function isAnswer(document: TextDocument, { from, to, above }: Run): boolean {
  if (closingStrength(above) > 0) return false;
  const lines = document.lines.slice(from, to).map(normalizeLine);
  if (isGatewayBanner(lines.join(' '))) return false;
  const hasSentence = lines.some(isSentence);
  return hasSentence || !lines.some((line) => hasContact(line) || closingStrength(line) > 0);
}

function isTagged(document: TextDocument, { from }: Run, header: string): boolean {
  const name = tag.exec(normalizeLine(document.lines[from] ?? ''))?.[1]?.trim() ?? '';
  if (notTags.test(name) || header.includes(name)) return false;
  return isNameLike(name, true);
}

function mostFrequent(runs: readonly Run[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { style } of runs) counts.set(style, (counts.get(style) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
