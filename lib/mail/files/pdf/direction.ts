/** Reading order of a line in which text runs to the left: the opposite of the Unicode bidirectional algorithm (UAX #9). */

const rightToLeft =
  /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\ufb1d-\ufdff\ufe70-\ufefc]/u;
const letter = /\p{L}/u;
const digit = /\p{Nd}/u;
const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
};

export const isRightToLeft = (text: string): boolean => rightToLeft.test(text);

/** Whether more letters run to the left than to the right. */
export function isMostlyRightToLeft(glyphs: Iterable<string>): boolean {
  let left = 0;
  let right = 0;
  for (const glyph of glyphs) {
    if (isRightToLeft(glyph)) left++;
    else if (letter.test(glyph)) right++;
  }
  return left > right;
}

/**
 * The text of glyphs that stand from left to right, in reading order.
 *
 * @param isBaseLeft whether the line as a whole runs to the left
 */
export function readingOrder(glyphs: readonly string[], isBaseLeft: boolean): string {
  const runs = runsOf(withMarks(glyphs), isBaseLeft);
  const inOrder = isBaseLeft ? runs.toReversed() : runs;
  return inOrder.map(({ glyphs: run, isLeft }) => (isLeft ? reversed(run) : run.join(''))).join('');
}

/** Glyphs that run in one direction, from left to right. */
interface DirectionRun {
  readonly glyphs: string[];
  readonly isLeft: boolean;
}

/** Marks stand before their letter where text runs to the left. */
function withMarks(glyphs: readonly string[]): string[] {
  const clusters: string[] = [];
  let marks = '';
  for (const glyph of glyphs) {
    if (/^\p{M}+$/u.test(glyph)) marks += glyph;
    else {
      clusters.push(glyph + marks);
      marks = '';
    }
  }
  if (marks !== '') clusters.push((clusters.pop() ?? '') + marks);
  return clusters;
}

function runsOf(glyphs: readonly string[], isBaseLeft: boolean): DirectionRun[] {
  const runs: DirectionRun[] = [];
  for (const [at, glyph] of glyphs.entries()) {
    const isLeft = directionAt(glyphs, at, isBaseLeft);
    const run = runs.at(-1);
    if (run && run.isLeft === isLeft) run.glyphs.push(glyph);
    else runs.push({ glyphs: [glyph], isLeft });
  }
  return runs;
}

/** How far the sides of a sign are looked at: signs in a row are few. */
const neighboursMax = 8;

function directionAt(glyphs: readonly string[], at: number, isBaseLeft: boolean): boolean {
  const own = directionOf(glyphs[at] ?? '');
  if (own !== null) return own;
  const before = nearest(glyphs, at, -1);
  const after = nearest(glyphs, at, 1);
  if (digit.test(glyphs[at - 1] ?? '') && digit.test(glyphs[at + 1] ?? ''))
    return glyphs[at] === ' ' && isBaseLeft;
  // Numbers that are apart follow one another in the direction of the line.
  if (before?.isNumber && after?.isNumber) return isBaseLeft;
  return before !== null && before.isLeft === after?.isLeft ? before.isLeft : isBaseLeft;
}

/** The next letter or number on one side, if there is one before long. */
function nearest(
  glyphs: readonly string[],
  at: number,
  step: 1 | -1,
): { isLeft: boolean; isNumber: boolean } | null {
  for (let distance = 1; distance <= neighboursMax; distance++) {
    const glyph = glyphs[at + step * distance];
    if (glyph === undefined) return null;
    const isLeft = directionOf(glyph);
    if (isLeft !== null) return { isLeft, isNumber: digit.test(glyph) };
  }
  return null;
}

/** Whether a glyph runs to the left; null for signs and spaces, which follow what is around them. */
function directionOf(glyph: string): boolean | null {
  if (isRightToLeft(glyph)) return true;
  return letter.test(glyph) || digit.test(glyph) ? false : null;
}

function reversed(glyphs: readonly string[]): string {
  return glyphs
    .toReversed()
    .map((glyph) => mirrored[glyph] ?? glyph)
    .join('');
}
