/**
 * Characters that nobody sees: Unicode tags, variation selectors and zero-width characters where they say something, and the
 * override of the direction. Ordinary ones stay: joiners of Persian and Indic scripts, of emoji, soft hyphens.
 */

/** Tags that are part of the flag of a region (UTS 51, 1.4.6), or any other tags. */
const tags = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,8}\u{e007f}|[\u{e0000}-\u{e007f}]+/gu;
/** A character has at most one variation selector. */
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}/gu;
/** Runs of several kinds: text encoded in them. */
const zeroWidths = /[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{8,}/g;
/** Between letters of scripts that have no joiners. */
const insideWord =
  /(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u115f\u1160\u3164\uffa0]+(?=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])/gu;
/** Reverses letters that are written from left to right. */
const override = /\u202e[^\u202c\n]{0,200}?[\p{Script=Latin}\d]/u;

/** Decides for most texts. */
const suspects =
  /[\u{e0000}-\u{e01ef}]|[\ufe00-\ufe0f]|[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u202e\u115f\u1160\u3164\uffa0]/u;

const insideWordsMin = 2;

export interface InvisibleCharacters {
  /** The text without them. */
  readonly text: string;
  /** What tags and variation selectors say, decoded. */
  readonly said: readonly string[];
  /** Why they are a signal, in the words of a detail; empty where they are ordinary. */
  readonly found: readonly string[];
}

/** Removes characters that nobody sees and that say something. Linear. */
export function withoutInvisible(text: string): InvisibleCharacters {
  if (!suspects.test(text)) {
    return { text, said: [], found: [] };
  }
  const said: string[] = [];
  const found = new Set<string>();
  const clean = text
    .replace(tags, (run) => {
      if (run.startsWith('\u{1f3f4}')) return run;
      found.add('Unicode tag characters, which nobody sees and a program can read');
      said.push([...run].map((one) => ofTag(one.codePointAt(0) ?? 0)).join(''));
      return '';
    })
    .replace(selectors, (run) => {
      found.add('a row of variation selectors, which nobody sees and which can encode text');
      said.push(ofSelectors(run));
      return '';
    })
    .replace(zeroWidths, (run) => {
      if (new Set(run).size < 2) return run;
      found.add('a row of zero-width characters of several kinds, which can encode text');
      return '';
    });
  let insideWords = 0;
  for (const _ of clean.matchAll(insideWord)) if (++insideWords >= insideWordsMin) break;
  if (insideWords >= insideWordsMin)
    found.add('zero-width characters inside of words, which keep filters from finding the words');
  if (override.test(clean)) found.add('a character that reverses the letters after it (U+202E)');
  return { text: clean, said: said.filter((one) => one.trim() !== ''), found: [...found] };
}

const ofTag = (code: number): string =>
  code >= 0xe0020 && code <= 0xe007e ? String.fromCharCode(code - 0xe0000) : '';

/** The sixteen first selectors are the bytes 0 to 15, the others those from 16 on. */
function ofSelectors(run: string): string {
  const bytes = [...run].map((one) => {
    const code = one.codePointAt(0) ?? 0;
    return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
  });
  const text = Buffer.from(bytes).toString();
  return /^[\p{L}\p{N}\p{P}\p{S}\s]+$/u.test(text) && !text.includes('\ufffd') ? text : '';
}
