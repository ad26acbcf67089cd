/** Attributions, the lines that say whose words follow: "On Mon, 12 Mar 2024 at 10:00, Ann <ann@a.example> wrote:". */
import { alternatives, everyWord, wordPattern } from './languages.ts';
import {
  bare,
  hasMark,
  isBlank,
  lastCharacter,
  marks,
  nextWritten,
  type Page,
  trimCharacters,
} from './lines.ts';
import { attributionOpenings, attributionVerbs } from './quote-words.ts';

/** Clients wrap an attribution into so many lines at most. */
const linesMax = 4;
const lineCharactersMax = 400;
/** "Ann Lee wrote:" says neither when nor from where; longer than this it is prose. */
const nameOnlyCharactersMax = 60;
/** The address at the end of an attribution is not longer. */
const endCharactersMax = 120;
/** How far from the end of a line an attribution may begin that shares the line with the answer. */
const sharedCharactersMax = 250;
const sharedOpeningsMax = 5;
const sharedOpening = /(?<=[\s-])(?:On|Am|Le|El|Em|Il|Op|Den|Dne|W dniu)(?=\s)/g;

/** Around a line it means nothing: "---- On … wrote ----". */
const decoration = '-–—*_ ';
const verbs = wordPattern(everyWord(attributionVerbs));
const openings = wordPattern(everyWord(attributionOpenings), '^');
const date =
  /(?<!\d)(?:19|20)\d{2}(?!\d)|(?<!\d)\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}(?!\d)|\d\s?[年월]|\p{L}{3,9}\.?\s\d{1,2},?\s\d{4}/u;
const time = /(?<!\d)\d{1,2}(?:[:h]\d{2}|[時时點点시])|\bkl\.?\s?\d{1,2}\.\d{2}|\bo\s\d{1,2}[.:]\d{2}/u;
const address = /[^\s<>@]@[^\s<>@]/;
const bracketed = /[<([][^<>()[\]]*@[^<>()[\]]*[>)\]]/;
const endsInAddress = /@[^\s<>]*\s?[>)\]]+\s?["'”]?\s?[:：]$/;
const addressThenVerb = new RegExp(
  `[>)\\]]\\s(?:${alternatives(everyWord(attributionVerbs))})\\s?[:：]$`,
  'iu',
);
/** A weekday or nothing, then a number: "wt., 12 mar", "2024年3月", "12.03.2024". */
const startsWithDay = /^[^\p{L}\d]{0,3}(?:\p{L}{2,12}[.,]{0,2}\s){0,2}\(?\d/u;
/** Two sentences are no attribution, however the second one ends. */
const sentences = /[!?]\s|\p{Ll}{4}\.\s\p{Lu}|。/u;
const firstAndSecondPersons =
  /\b(?:i|we|you|he|she|they|ich|wir|sie|er|je|nous|vous|il|elle|yo|usted|eu|você|io|lei|lui|ik|jij|u)\s(?:have\s|had\s|also\s)?(?:wrote|sent|schrieb|schrieben|ai écrit|avez écrit)\b/iu;

/**
 * The line on which the attribution that ends on line `end` begins, or -1 where none ends there. It is looked for no
 * higher than `floor`.
 */
export function attributionStart(page: Page, end: number, floor: number): number {
  const last = page.lines[end] ?? '';
  if (last.length > lineCharactersMax) return -1;
  const next = nextWritten(page, end + 1, page.lines.length);
  const beforeQuote = hasMark(page, next, marks.cited | marks.quotable);
  let text = '';
  let best = -1;
  for (let start = end; start >= floor && start > end - linesMax; start--) {
    const line = page.lines[start];
    if (isBlank(line) || (line ?? '').length > lineCharactersMax) break;
    if (start < end && /[:：]$/.test(bare(line ?? ''))) break;
    text = text === '' ? bare(line ?? '') : `${bare(line ?? '')} ${text}`;
    // Without a date or an address nothing but a quote below makes an attribution; few lines get further than this.
    if (!beforeQuote && !/[\d@]/.test(text)) continue;
    if (!isAttribution(text, beforeQuote)) continue;
    if (startsLikeOne(text)) return start;
    if (best < 0) best = start;
  }
  return best;
}

/**
 * Where in a line an attribution begins that has the end of the answer before it on the same line, as html made into
 * text leaves it; -1 where there is none.
 */
export function sharedAttribution(line: string): number {
  if (line.length < 24 || lastCharacter(line) !== ':') return -1;
  const from = Math.max(1, line.length - sharedCharactersMax);
  const tail = line.slice(from);
  if (!verbs.test(tail.slice(-endCharactersMax)) || !date.test(tail) || !address.test(tail)) return -1;
  for (const { index } of [...tail.matchAll(sharedOpening)].slice(-sharedOpeningsMax)) {
    const rest = bare(tail.slice(index));
    if (!date.test(rest) || !address.test(rest) || !isAttribution(rest, false)) continue;
    if (!/[^\s\-–—]/.test(line.slice(0, from + index))) continue;
    const dashes = /[-–—]{2,5}\s?$/.exec(tail.slice(Math.max(0, index - 6), index));
    return from + index - (dashes?.[0].length ?? 0);
  }
  return -1;
}

function isAttribution(text: string, beforeQuote: boolean): boolean {
  const isDashed = /[-–—]{2,}$/.test(text);
  const core = trimCharacters(text, decoration);
  if (core.length < 5 || core.length > lineCharactersMax) return false;
  const hasDate = date.test(core);
  const hasAddress = address.test(core);
  if (!/[:：]$/.test(core) && !(isDashed && verbs.test(core.slice(-30)))) {
    return beforeQuote && hasDate && bracketed.test(core) && core.endsWith('>');
  }
  if (sentences.test(core)) return false;
  const hasTime = time.test(core);
  const hasVerb = verbs.test(core);
  if (beforeQuote) {
    return hasVerb
      ? hasDate || hasAddress || core.length <= nameOnlyCharactersMax
      : hasDate && (hasAddress || hasTime);
  }
  if (hasDate && hasTime && endsInAddress.test(core.slice(-endCharactersMax))) return true;
  if (!hasVerb || firstAndSecondPersons.test(core)) return false;
  if (!hasDate) return bracketed.test(core) && addressThenVerb.test(core);
  return hasAddress || (hasTime && startsLikeOne(core));
}

function startsLikeOne(text: string): boolean {
  const core = trimCharacters(text, decoration);
  return date.test(core) && (openings.test(core) || startsWithDay.test(core));
}
