/** Words of a text, and how far an extracted text holds the known words of a document. */

export interface Comparison {
  /** Known words. */
  readonly known: number;
  /** Known words that the extracted text has. */
  readonly found: number;
  readonly missing: readonly string[];
  /** Words of the extracted text. */
  readonly read: number;
  /** Words of the extracted text that the document does not have. */
  readonly invented: readonly string[];
  /** Share of the found words that stand in the known order (longest common subsequence); 1 where none was found. */
  readonly order: number;
}

/** What a text is compared with. */
export interface Known {
  /** In reading order. */
  readonly text: string;
  /** Words that may be there, any number of times: marks of lists, targets of links, labels. */
  readonly optional?: string;
  /** Other forms of a known word, such as a date in the order of another country. */
  readonly alternatives?: Readonly<Record<string, readonly string[]>>;
}

/** Letters of scripts without spaces between words count one by one. */
const single = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー々]`;
const run = String.raw`(?:(?!${single})[\p{L}\p{M}\p{N}])+`;
/** `4,50`, `2026-03-09`, `o'clock`, `ann@example.test` are one word; so are `-5` and a currency sign. */
const word = new RegExp(
  String.raw`${single}|(?:(?<![\p{L}\p{N}])[-+](?=\p{N}))?${run}(?:[.,:/'@_-]${run})*|[\p{Sc}%‰]`,
  'gu',
);

/** The words after compatibility composition and case folding, without marks of direction and hyphenation. */
export function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\u0640]/gu, '')
    .replace(/[’‘]/g, "'")
    .replace(/[−‐‑]/g, '-')
    .toLowerCase();
  return folded.match(word) ?? [];
}

/** Markdown without the backslashes of escapes. */
export function withoutEscapes(markdown: string): string {
  return markdown.replace(/\\([\\`*_{}[\]()#+\-.!|<>~=])/g, '$1');
}

export function compareWords(known: Known, text: string): Comparison {
  const expected = wordsOf(known.text);
  const forms = formsOf(known.alternatives ?? {});
  const actual = wordsOf(text).map((form) => forms.get(form) ?? form);
  const left = countsOf(actual);
  const missing = expected.filter((one) => !take(left, one));
  const allowed = new Set(wordsOf(known.optional ?? ''));
  const invented = [...left].flatMap(([one, count]) =>
    allowed.has(one) ? [] : Array<string>(count).fill(one),
  );
  const found = expected.length - missing.length;
  return {
    known: expected.length,
    found,
    missing,
    read: actual.length,
    invented,
    order: found === 0 ? 1 : longestCommon(expected, actual) / found,
  };
}

function formsOf(alternatives: Readonly<Record<string, readonly string[]>>): Map<string, string> {
  return new Map(
    Object.entries(alternatives).flatMap(([known, others]) =>
      others.map((other): [string, string] => [wordsOf(other).join(' '), wordsOf(known).join(' ')]),
    ),
  );
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of words) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, one: string): boolean {
  const count = counts.get(one) ?? 0;
  if (count === 1) counts.delete(one);
  else if (count > 1) counts.set(one, count - 1);
  return count > 0;
}

/** Length of the longest common subsequence. */
function longestCommon(first: readonly string[], second: readonly string[]): number {
  let before = new Uint32Array(second.length + 1);
  for (const one of first) {
    const row = new Uint32Array(second.length + 1);
    for (const [at, other] of second.entries()) {
      row[at + 1] = one === other ? (before[at] ?? 0) + 1 : Math.max(before[at + 1] ?? 0, row[at] ?? 0);
    }
    before = row;
  }
  return before[second.length] ?? 0;
}
