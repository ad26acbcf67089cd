/** Owns the marks of lines that only authors write, also below their signature: postscripts, short and listed answers. */
import { allWords, alternatives } from './languages.ts';
import { postscripts } from './sentence-words.ts';
import { notNames } from './signature-lines.ts';

/** The mark of a line: the number of a listed answer ("2. no"), or one of these. */
export const answerMarks = { none: -1, bullet: 0, certain: 1000 } as const;

const words = allWords(postscripts);
/** The last alternatives need no punctuation. */
const postscript = new RegExp(
  `^[*_(]{0,2}(?:(?:${alternatives(words)})(?:\\s?[.:：,，、)*_–—-]|$)|p\\.?\\s?(?:p\\.?\\s?){0,2}s\\b.?\\s?\\S|(?:зы|追伸|추신|נ״ב)\\s)`,
  'iu',
);
/** Decides for most lines. */
const postscriptBeginnings = new Set(['p ', 'pp', ...words].map((word) => word.slice(0, 2)));
const shortAnswerCharactersMax = 20;
/** "1. yes", "zu 2) nein", "Q3: no". */
const listed =
  /^[([*]{0,2}(?:(?:zu|ad|re|to|punkt|point|frage|question|q|a|nr\.?|no\.?|#)\s?)?(\d{1,2})[.):\]]{1,2}\s{0,3}[^\s\d]/iu;
const listedInLine = /^[([]?1[.):\]]\s?\S.{0,200}\s[([]?2[.):\]]\s?\S/u;
const bullet = /^[-–—•*]\s\S/u;
/** Where the number before an answer ends. */
const numberCharactersMax = 16;

/** True for a line that begins a postscript, in any language: "PS: bring the key". */
export function isPostscript(line: string): boolean {
  if (!'*_(附另'.includes(line.charAt(0)) && !postscriptBeginnings.has(line.slice(0, 2).toLowerCase()))
    return false;
  return postscript.test(line);
}

/** The mark of a line. `certain` for a postscript, for "yes" and similar words, and for "1. yes 2. no". */
export function answerMark(line: string): number {
  if (isPostscript(line)) return answerMarks.certain;
  if (line.length <= shortAnswerCharactersMax && notNames.test(line.replace(/[.,!。！\s]+$/, '')))
    return answerMarks.certain;
  if (bullet.test(line)) return answerMarks.bullet;
  if (!/\d/.test(line.slice(0, numberCharactersMax))) return answerMarks.none;
  if (listedInLine.test(line)) return answerMarks.certain;
  return Number(listed.exec(line)?.[1] ?? answerMarks.none);
}
