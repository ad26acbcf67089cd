/** Owns the recognition of attributions: "On Mon, 12 Mar 2024 at 10:00, Ann <ann@a.example> wrote:". */
import { allWords, alternatives, wordPattern } from './languages.ts';
import { attributionOpenings, attributionVerbs } from './quote-header-words.ts';
import { isNameLike } from './signature-lines.ts';
import {
  hasFlag,
  lastVisibleCharacter,
  lineFlags,
  nextNonBlankLine,
  normalizeLine,
  type TextDocument,
  trimCharacters,
} from './text-document.ts';

/** Lines into which clients wrap an attribution. */
const linesMax = 5;
/** Words of the beginning of an attribution that a client wrapped: "On Tue,". */
const fragmentWordsMax = 4;
const lineCharactersMax = 400;
/** Limit for attributions without date and address ("Ann Lee wrote:"); longer lines are prose. */
const nameOnlyCharactersMax = 60;
/** Limit for the address at the end of an attribution. */
const endCharactersMax = 120;
/** Limit for an attribution on the same line as the end of the answer. */
const inlineCharactersMax = 250;
const inlineOpeningsMax = 5;
/** No answer is as short as the opening of an attribution. */
const openingCharactersMax = 4;
const inlineOpening = /(?<=[\s-])(?:On|Am|Le|El|Em|Il|Op|Den|Dne|W dniu)(?=\s)/g;

/** Ignored around a line: "---- On … wrote ----". */
const decoration = '-–—*_ ';
const verbs = wordPattern(allWords(attributionVerbs));
const openings = wordPattern(allWords(attributionOpenings), '^');
const date =
  /(?<!\d)(?:19|20)\d{2}(?!\d)|(?<!\d)\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}(?!\d)|\d\s?[年월]|\p{L}{3,9}\.?\s\d{1,2},?\s\d{4}/u;
const time =
  /(?<!\d)\d{1,2}(?:[:h]\d{2}|[時时點点시])|\bkl(?:o|ello)?\.?\s?\d{1,2}\.\d{2}|\bo\s\d{1,2}[.:]\d{2}|(?<=\d{4},?\s)\d{1,2}\.\d{2}(?=,?\s)/u;
const address = /[^\s<>@]@[^\s<>@]/;
/** A sender, and up to two words of what follows. */
const wrappedSender = /^[^<>@:]{0,60}[<([][^<>\s]{1,120}@[^<>\s]{1,120}\s?[>)\]](?:\s\S{1,10}){0,2}$/u;
const endsInParticle =
  /(?:^|\s)(?:de|del|della|di|da|dos|das|do|van|von|der|den|ter|la|le|el|al|af|zu|dia|giorno|dniu|użytkownik)$/iu;
const bracketed = /[<([][^<>()[\]]*@[^<>()[\]]*[>)\]]/;
const endsInAddress = /@[^\s<>]*\s?[>)\]]+\s?["'”]?\s?[:：]$/;
const addressThenVerb = new RegExp(
  `[>)\\]]\\s(?:${alternatives(allWords(attributionVerbs))})\\s?[:：]$`,
  'iu',
);
/** "ann@a.example wrote:", and nothing else. */
const bareAddressThenVerb = new RegExp(
  `^[^\\s<>@]{1,64}@[^\\s<>@]{3,100}\\s(?:${alternatives(allWords(attributionVerbs))})\\s?[:：]$`,
  'iu',
);
const addressThenVerbAtEnd = new RegExp(`[>)\\]],?\\s(?:${alternatives(allWords(attributionVerbs))})$`, 'iu');
const addressThenVerbThenText = new RegExp(
  `[>)\\]],?\\s?(?:${alternatives(allWords(attributionVerbs))})\\s?[:：](?=\\s{1,8}\\S)`,
  'iu',
);
/** Decides for most lines without a regular expression. */
const verbEndings = new Set(allWords(attributionVerbs).map((verb) => verb.slice(-2)));
const verbAtEnd = new RegExp(`(?:^|[\\s>)])(?:${alternatives(allWords(attributionVerbs))})\\s?$`, 'iu');
/** An optional weekday, then a number: "wt., 12 mar", "2024年3月", "12.03.2024". */
const startsWithDay = /^[^\p{L}\d]{0,3}(?:\p{L}{2,12}[.,،]{0,2}\s){0,2}\(?\d/u;
/** A text of two sentences is no attribution. */
const sentenceBoundary = /[!?]\s|\p{Ll}{4}\.\s\p{Lu}|。/u;
const firstAndSecondPersons =
  /\b(?:i|we|you|he|she|they|ich|wir|sie|er|je|nous|vous|il|elle|yo|usted|eu|você|io|lei|lui|ik|jij|u)\s(?:have\s|had\s|also\s)?(?:wrote|sent|schrieb|schrieben|ai écrit|avez écrit)\b/iu;

/** The first line, not above `floor`, of the attribution that ends on line `end`; -1 if none ends there. */
export function findAttributionStart(document: TextDocument, end: number, floor: number): number {
  const next = nextNonBlankLine(document, end + 1, document.lines.length);
  const beforeQuote = hasFlag(document, next, lineFlags.quoted | lineFlags.quotable);
  let fallback = -1;
  let fallbackHasSender = false;
  for (const { start, first, text } of textsEndingOn(document, end, floor)) {
    // Without a quote below, an attribution needs a date or an address; few lines pass.
    if (!beforeQuote && !/[\d@]/.test(text)) continue;
    if (!isAttribution(text, beforeQuote)) continue;
    const hasSender = startsWithSender(text);
    if (isComplete(text, start < end ? first : null) || (hasSender && date.test(text)))
      return includeLinesAbove(document, start, floor, text);
    if (fallback < 0 || (hasSender && !fallbackHasSender)) {
      fallback = start;
      fallbackHasSender = hasSender;
    }
  }
  return fallback;
}

/** The text from each line above to line `end`, shortest first, as far as one attribution may reach. */
function* textsEndingOn(document: TextDocument, end: number, floor: number) {
  let text = '';
  for (let start = end; start >= floor && start > end - linesMax; start--) {
    const line = document.lines[start];
    if (line === undefined || line.length > lineCharactersMax) return;
    const first = normalizeLine(line);
    // Polymail separates the name and the link to it.
    if (first === '' && start === end - 1 && text.startsWith('<')) continue;
    // "… ezt írta (időpont:" is the beginning of a wrapped attribution.
    if (first === '' || (start < end && /[:：]$/.test(first) && !/\([^()]{0,20}:$/.test(first))) return;
    text = text === '' ? first : `${first} ${text}`;
    yield { start, first, text };
  }
}

/**
 * True if an attribution has its sender and its date.
 *
 * @param firstLine of an attribution of several lines
 */
function isComplete(text: string, firstLine: string | null): boolean {
  if (text.startsWith('>') || !(address.test(text) || verbs.test(text))) return false;
  if (startsLikeAttribution(text)) return true;
  return firstLine !== null && (startsWithDate(firstLine) || startsWithNameThenVerb(text));
}

/** True if a line that ends in neither colon nor dash may end an attribution. */
export function endsInAttributionVerb(line: string): boolean {
  const text = line.trimEnd();
  return verbEndings.has(text.slice(-2).toLowerCase()) && verbAtEnd.test(text.slice(-24));
}

/** Includes the lines above an attribution that a client wrapped within the sender or the date. */
function includeLinesAbove(document: TextDocument, start: number, floor: number, from: string): number {
  let text = from;
  let first = start;
  while (first > floor && start - first < linesMax) {
    const line = document.lines[first - 1];
    if (line === undefined || line.length > lineCharactersMax) break;
    const above = trimCharacters(normalizeLine(line), decoration);
    if (above === '' || !continues(above, text)) break;
    text = `${above} ${text}`;
    first--;
  }
  return first;
}

/** True if `above` is the beginning of an attribution whose rest is `text`. */
function continues(above: string, text: string): boolean {
  if (/[!?:：]$/.test(above)) return false;
  if (!address.test(text) && wrappedSender.test(above)) return true;
  if (verbs.exec(text)?.index === 0) return isNameLike(above, false);
  if (text.startsWith('<')) {
    return isNameLike(above, false) || startsLikeAttribution(above) || startsWithDate(above);
  }
  if (above.split(' ').length > fragmentWordsMax) return false;
  if (endsInParticle.test(above) && date.test(text) && startsWithSender(text)) return true;
  const isWithinDate = !openings.test(text) || /^\p{Ll}/u.test(text);
  return isWithinDate && (startsWithDay.test(above) || openings.test(above) || endsInParticle.test(above));
}

/** "On Tue, Mar 12, Ann Lee": without the year. */
function startsWithDate(text: string): boolean {
  return openings.test(text) && /\d/.test(text) && text.length < nameOnlyCharactersMax;
}

/** "Ann Lee <ann@a.example> schrieb …". */
function startsWithSender(text: string): boolean {
  const sender = /^["'„«“]?([^<>@:"”»]{1,60}?)["'”»]?\s?[<([][^<>\s]{1,120}@[^<>\s]{1,120}\s?[>)\]]\s/u.exec(
    text,
  );
  return sender !== null && isNameLike(sender[1] ?? '', false) && !/^\p{Ll}/u.test(text);
}

/**
 * The offset of an attribution that follows the end of the answer on the same line, as some converters of html write it;
 * -1 if there is none.
 */
export function inlineAttributionStart(line: string): number {
  if (line.length < 24 || lastVisibleCharacter(line) !== ':') return -1;
  const from = Math.max(1, line.length - inlineCharactersMax);
  const tail = line.slice(from);
  if (!verbs.test(tail.slice(-endCharactersMax)) || !date.test(tail) || !address.test(tail)) return -1;
  for (const { index } of [...tail.matchAll(inlineOpening)].slice(-inlineOpeningsMax)) {
    const rest = normalizeLine(tail.slice(index));
    if (!date.test(rest) || !address.test(rest) || !isAttribution(rest, false)) continue;
    // Gmail writes the opening twice in some languages: "El El vie., …".
    if (!/[^\s\-–—]/.test(line.slice(0, from + index)) || from + index < openingCharactersMax) continue;
    const dashes = /[-–—]{2,5}\s?$/.exec(tail.slice(Math.max(0, index - 6), index));
    return from + index - (dashes?.[0].length ?? 0);
  }
  return -1;
}

/**
 * The offset after an attribution that the quote follows on the same line, as the Yahoo app writes it; -1 if there is
 * none.
 */
export function inlineAttributionEnd(line: string): number {
  if (line.length < 40) return -1;
  const head = line.slice(0, inlineCharactersMax);
  if (!head.includes('@')) return -1;
  const match = addressThenVerbThenText.exec(head);
  if (match === null) return -1;
  const end = match.index + match[0].length;
  const text = normalizeLine(head.slice(0, end));
  return isAttribution(text, false) && startsLikeAttribution(text) && time.test(text) ? end : -1;
}

function isAttribution(text: string, beforeQuote: boolean): boolean {
  const isDashed = /[-–—]{2,}$/.test(text);
  const core = trimCharacters(text, decoration);
  if (core.length < 5 || core.length > lineCharactersMax) return false;
  if (!/[:：]$/.test(core) && !(isDashed && verbs.test(core.slice(-30))))
    return isAttributionWithoutColon(core, beforeQuote);
  if (sentenceBoundary.test(core)) return false;
  return beforeQuote ? mayIntroduceQuote(core) : isUnmistakable(core);
}

function isAttributionWithoutColon(core: string, beforeQuote: boolean): boolean {
  if (!date.test(core) || !bracketed.test(core)) return false;
  if (addressThenVerbAtEnd.test(core)) return !sentenceBoundary.test(core);
  return beforeQuote && core.endsWith('>');
}

/** Enough where a quote follows. */
function mayIntroduceQuote(core: string): boolean {
  const hasDate = date.test(core);
  const hasAddress = address.test(core);
  if (verbs.test(core)) return hasDate || hasAddress || isNameThenVerb(core);
  return hasDate && (hasAddress || time.test(core));
}

/** Needed where no quote follows. */
function isUnmistakable(core: string): boolean {
  const hasDate = date.test(core);
  const hasTime = time.test(core);
  if (hasDate && hasTime && endsInAddress.test(core.slice(-endCharactersMax))) return true;
  if (!verbs.test(core) || firstAndSecondPersons.test(core)) return false;
  if (!hasDate) return (bracketed.test(core) && addressThenVerb.test(core)) || bareAddressThenVerb.test(core);
  if (address.test(core)) return true;
  return hasTime ? startsLikeAttribution(core) || startsWithNameThenVerb(core) : endsInNameThenVerb(core);
}

/** "Ann Lee skrev den 12.03.2024 10:04:". */
function startsWithNameThenVerb(core: string): boolean {
  const verb = verbs.exec(core);
  if (verb === null || verb.index === 0) return false;
  const rest = core.slice(verb.index + verb[0].length).trim();
  // "annlee schrieb am 12.03.2024 um 10:04:" has the whole date behind the verb.
  return isNameLike(core.slice(0, verb.index).trim(), openings.test(rest) && date.test(rest));
}

/** "On March 12, 2024, Ann Lee wrote:", but not "On 12 March 2024 the board wrote:". */
function endsInNameThenVerb(core: string): boolean {
  const name = /[\d,]\s([^\d,<>@]{2,60}?)\s\S{3,12}\s?[:：]$/u.exec(core.slice(-endCharactersMax));
  return name !== null && startsLikeAttribution(core) && isNameLike(name[1] ?? '', false);
}

/** "Ann Lee wrote:", but not "Here is what Ann wrote:". */
function isNameThenVerb(core: string): boolean {
  if (core.length > nameOnlyCharactersMax) return false;
  const name = core.replace(verbs, '').replace(/[\s:：]+$/, '');
  // "annlee via Example Forum wrote:".
  return isNameLike(name.trim(), false) || /^\S+(?:\s\S+){0,3}\svia\s\p{Lu}.{1,40}$/u.test(name);
}

function startsLikeAttribution(text: string): boolean {
  const core = trimCharacters(text, decoration);
  return date.test(core) && (openings.test(core) || startsWithDay.test(core));
}
