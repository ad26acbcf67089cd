/** How likely a text is to be what somebody wrote: by the letters of languages, and by what stands beside what. */
import { type Language, languages } from './languages.ts';

/** Logarithms of probabilities, as penalties. */
const cost = {
  ascii: -3.2,
  invalid: -14,
  control: -14,
  privateUse: -13,
  quotation: -4,
  typography: -5.7,
  symbol: -10,
  /** A letter that the language does not have. */
  foreign: -11,
  scriptChange: -6,
  symbolInWord: -6,
  capitalInWord: -6,
  byDigit: -7,
  smallStart: -0.7,
  capitalAgain: -0.6,
  /** A mark without a letter to stand on, a vowel sign without its consonant. */
  strayMark: -4,
  /** Each consonant or vowel more than three in a row. */
  longRun: -2.5,
} as const;

const quotation = new Set('“”„’«»–…');
const typography = new Set('‘—•°€£§№· ®©™½²³´¿¡¥ºª、。「」（）・〜～　，：！？【】《》');
const vowels = new Set('aeiouyаеёиоуыэюяіїєαεηιουωəıæøœ');

interface Kind {
  readonly script: string;
  readonly isUpper: boolean;
  readonly isLower: boolean;
  readonly isVowel: boolean;
  readonly cost: number;
  /** Lower case of a letter that languages weigh; null for others. */
  readonly letter: string | null;
}

const scripts = ['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai', 'Hangul'].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const,
);
const kinds = new Map<string, Kind>();

function kindOf(character: string): Kind {
  const kept = kinds.get(character);
  if (kept) return kept;
  const kind = newKind(character);
  // Bounded by the characters of the charsets.
  if (kinds.size < 40_000) kinds.set(character, kind);
  return kind;
}

function newKind(character: string): Kind {
  const isLetter = /[\p{L}\p{M}]/u.test(character) && !/[ªº]/.test(character);
  const lower = [...character.toLowerCase()][0] ?? character;
  const isAscii = character <= '\x7f';
  const script = isLetter ? (scripts.find(([, pattern]) => pattern.test(character))?.[0] ?? 'Han') : '';
  return {
    script: /\p{M}/u.test(character) && script === 'Han' ? 'mark' : script,
    isUpper: isLetter && lower !== character,
    isLower: isLetter && character.toUpperCase() !== character,
    isVowel: vowels.has([...lower.normalize('NFD')][0] ?? ''),
    cost: isAscii ? cost.ascii : isLetter ? 0 : costOfSymbol(character),
    letter: isLetter && !isAscii ? lower : null,
  };
}

function costOfSymbol(character: string): number {
  if (character === '\ufffd' || /\p{Cn}/u.test(character)) return cost.invalid;
  if (/\p{Cc}/u.test(character)) return cost.control;
  if (/\p{Co}/u.test(character)) return cost.privateUse;
  if (quotation.has(character)) return cost.quotation;
  return typography.has(character) ? cost.typography : cost.symbol;
}

/**
 * The logarithm of a probability by the language that fits best. Of texts made from the same bytes, the highest is the
 * likeliest.
 *
 * @param text words, one a line, each with other characters than ASCII
 * @param priorOf logarithm of how likely the language is, before the text is seen
 */
export function likelihoodOf(text: string, priorOf: (language: Language) => number): number {
  const counts = new Map<string, number>();
  let score = 0;
  for (const word of text.split('\n')) score += scoreOfWord(word, counts);
  let best = Number.NEGATIVE_INFINITY;
  for (const language of languages()) {
    best = Math.max(best, language.prior + priorOf(language) + weightOf(counts, language));
  }
  return score + best;
}

/** How much likelier each language is for a text than the likeliest one: zero or less. */
export function languagesOf(text: string): (language: Language) => number {
  const counts = new Map<string, number>();
  for (const character of text.slice(0, 2000)) {
    const { letter } = kindOf(character);
    if (letter !== null) counts.set(letter, 1);
  }
  const weights = new Map(languages().map((language) => [language, weightOf(counts, language)] as const));
  const most = Math.max(...weights.values());
  return (language) => Math.max(-5, (weights.get(language) ?? most) - most);
}

function weightOf(counts: ReadonlyMap<string, number>, { weigh }: Language): number {
  let sum = 0;
  for (const [letter, count] of counts) sum += count * (weigh(letter) ?? cost.foreign);
  return sum;
}

/** What stands beside what in a word. Counts its letters. */
function scoreOfWord(word: string, counts: Map<string, number>): number {
  let score = 0;
  let before: Kind | null = null;
  let run = 0;
  let beforeMark = '';
  for (const character of word) {
    const kind = kindOf(character);
    const { letter } = kind;
    score += kind.cost;
    if (letter !== null) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    score += kind.script === '' ? 0 : scoreOfPair(before, kind) + scoreOfMarks(beforeMark, character);
    if (isSymbolInWord(before, beforeMark, kind, character)) score += cost.symbolInWord;
    if (isByDigit(beforeMark, kind) || isByDigit(character, before)) score += cost.byDigit;
    run = kind.isLower && before?.isVowel === kind.isVowel ? run + 1 : 1;
    if (run > 3 && hasVowels.has(kind.script)) score += cost.longRun;
    before = kind;
    beforeMark = character;
  }
  return score;
}

const hasVowels = new Set(['Latin', 'Cyrillic', 'Greek']);

/** Whether one of two neighbours is a letter and the other a symbol that does not stand beside letters. */
function isSymbolInWord(before: Kind | null, first: string, kind: Kind, second: string): boolean {
  if (before === null || (before.script === '') === (kind.script === '')) return false;
  const symbol = kind.script === '' ? second : first;
  return symbol > '\x7f' && !besideLetters.has(symbol);
}

/** Whether a letter that ASCII lacks stands beside a digit, which only ideographs do. */
function isByDigit(digit: string, kind: Kind | null): boolean {
  return digit >= '0' && digit <= '9' && kind !== null && kind.letter !== null && kind.script !== 'Han';
}

const besideLetters = new Set('“”„‘’«»–—…•・〜～　、。「」（），：！？【】《》®™· ');

function scoreOfPair(before: Kind | null, kind: Kind): number {
  if (before === null || before.script === '') return kind.isLower ? cost.smallStart : 0;
  const mixes = before.script !== kind.script && before.script !== 'mark' && kind.script !== 'mark';
  if (mixes) return cost.scriptChange;
  if (!kind.isUpper) return 0;
  return before.isLower ? cost.capitalInWord : before.isUpper ? cost.capitalAgain : 0;
}

/** Thai vowel signs, final Hebrew letters, voiced half-width kana, and combining marks have a place. */
function scoreOfMarks(before: string, character: string): number {
  if (/[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]/.test(character) && !/[\u0e01-\u0e2e\u0e31-\u0e4e]/.test(before))
    return cost.strayMark;
  if (/[\u0e40-\u0e44]/.test(before) && !/[\u0e01-\u0e2e]/.test(character)) return cost.strayMark;
  if (/[ךםןףץς]/.test(before)) return cost.strayMark;
  if (/[ﾞﾟ]/.test(character) && !/[ｳｶ-ﾄﾊ-ﾎ]/.test(before)) return cost.strayMark;
  return 0;
}
