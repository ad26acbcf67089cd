/** Owns the recognition of closings: single phrases, combinations, and phrases with a place or a name. */
import {
  closingConjunctions,
  placePrepositions,
  strongClosings,
  thanksForHelp,
  weakClosings,
} from './closing-words.ts';
import { allWords, type Words } from './languages.ts';
import { isNameLike } from './signature-lines.ts';

/** 2 for a phrase that only closes letters, 1 for a phrase that may also be content, 0 for other text. */
export type ClosingStrength = 0 | 1 | 2;

const closingCharactersMax = 90;
/** "Vielen Dank und viele Grüße / Thanks and best regards". */
const partsMax = 4;
/** Words of the longest closing before a place or name. */
const phraseWordsMax = 6;

const strongPhrases = phrases(strongClosings);
const weakPhrases = phrases(weakClosings);
/** The first word of every closing begins in the first characters of the line. */
const openingCharactersMax = 40;
const firstWord = /^[\s*_/|·•&+,，、;!.–—]*([\p{L}\p{M}\p{N}'’]+)/u;
const firstWords = new Set(['thank', 'many', ...[...strongPhrases, ...weakPhrases].map(firstWordOf)]);
/** "김철수 드림" */
const koreanNameThenClosing =
  /^\p{Script=Hangul}{2,10}(?:\s\p{Script=Hangul}{2,10}){0,2}\s(?:드림|올림|배상)[.!]?$/u;
const conjunctions = allWords(closingConjunctions).join('|');
const separator = new RegExp(`\\s?[/|·•&+,，、،;!.–—]+\\s?|\\s-\\s|\\s(?:${conjunctions})\\s`, 'iu');
const place = new RegExp(
  `^(.{2,45}?)\\s(?:${allWords(placePrepositions).join('|')})\\s(?:\\p{Ll}{1,12}\\s){0,2}\\p{Lu}[\\p{L}.'’-]{1,20}(?:\\s\\p{Lu}[\\p{L}.'’-]{0,20}){0,2}$`,
  'u',
);

/** The strength of a normalized line as a closing. Bounded: longer lines than 90 characters are no closings. */
export function closingStrength(line: string): ClosingStrength {
  if (line === '' || line.length > closingCharactersMax) return 0;
  if (isKoreanNameThenClosing(line)) return 2;
  // Decides for most lines.
  if (!firstWords.has(firstWordOf(line.slice(0, openingCharactersMax)))) return 0;
  const text = line
    .replace(/(?:[\s,.!;:~…、。，！،؛\-–—)*_\p{Extended_Pictographic}]|\ufe0f)+$/u, '')
    .replace(/^[*_]+/, '');
  const phrase = strengthOfPhrase(text);
  if (phrase > 0) return phrase;
  const inPlace = place.exec(text);
  if (inPlace !== null && strengthOfPhrase(inPlace[1] ?? '') === 2) return 2;
  if (!/[.!?。！？]$/u.test(line) && thanksForHelp.test(text)) return 1;
  return Math.max(strengthOfParts(text), endsInName(text) ? 2 : 0) as ClosingStrength;
}

/** "김민수 드림" */
export function isKoreanNameThenClosing(line: string): boolean {
  return line.length <= closingCharactersMax && koreanNameThenClosing.test(line);
}

/** The closings of a table, also as they are written on keyboards without diacritics. */
function phrases(words: Words): ReadonlySet<string> {
  return new Set(allWords(words).flatMap((phrase) => [phrase, withoutDiacritics(phrase)]));
}

function withoutDiacritics(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o');
}

function firstWordOf(text: string): string {
  return firstWord.exec(text)?.[1]?.toLowerCase() ?? '';
}

function strengthOfPhrase(text: string): ClosingStrength {
  const phrase = text.toLowerCase();
  if (strongPhrases.has(phrase)) return 2;
  return weakPhrases.has(phrase) ? 1 : 0;
}

/** Every part is a closing; the last may be a name. */
function strengthOfParts(text: string): ClosingStrength {
  const parts = text.split(separator).filter((part) => part !== '');
  if (parts.length < 2 || parts.length > partsMax) return 0;
  const strengths = parts.map(strengthOfPhrase);
  if (isNameLike(parts.at(-1) ?? '', false) && strengths.at(-1) === 0) {
    return strengths.slice(0, -1).every((strength) => strength > 0) && strengths.includes(2) ? 2 : 0;
  }
  if (strengths.some((strength) => strength === 0)) return 0;
  return strengths.includes(2) ? 2 : 1;
}

/** "LG Anna", "Regards Ann Lee". */
function endsInName(text: string): boolean {
  const words = text.split(' ');
  for (let count = Math.max(1, words.length - 3); count < words.length && count <= phraseWordsMax; count++) {
    const phrase = words.slice(0, count).join(' ');
    if (strengthOfPhrase(phrase) === 2 && isNameLike(words.slice(count).join(' '), false)) return true;
  }
  return false;
}
