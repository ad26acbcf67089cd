/** Vertical writing of programs that place each character upright, one below the other. */
import type { Piece } from './pieces.ts';

const character =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\ufe10-\ufe4f\uff00-\uffef]$/u;
/** Characters of a line are so many font sizes apart; cells of a table are further. */
const distanceMax = 1.35;
const distanceMin = 0.5;
/** Fewer may be cells. */
const charactersMin = 4;

/** The pieces, with columns of single characters turned into lines that go down. Linear. */
export function withVerticalLines(pieces: readonly Piece[]): Piece[] {
  const shown = pieces.filter(({ glyphs }) => glyphs.join('').trim() !== '');
  const result: Piece[] = [];
  for (let start = 0; start < shown.length; ) {
    let end = start + 1;
    while (end < shown.length && isBelow(shown[end - 1], shown[end])) end++;
    const run = shown.slice(start, end);
    const glyphs = run.flatMap((piece) => piece.glyphs);
    if (run.length < charactersMin) for (const piece of run) result.push(piece);
    else {
      const [first] = run;
      const last = run.at(-1);
      if (first && last) {
        const { left, y, size } = first;
        result.push({ glyphs, left: -y, right: size - last.y, y: left, size, angle: -90 });
      }
    }
    start = end;
  }
  return result.some(({ angle }, at) => angle !== shown[at]?.angle) ? result : [...pieces];
}

function isBelow(above: Piece | undefined, piece: Piece | undefined): boolean {
  if (!above || !piece || above.angle !== 0 || piece.angle !== 0) return false;
  if (!character.test(above.glyphs.join('')) || !character.test(piece.glyphs.join(''))) return false;
  const distance = (above.y - piece.y) / piece.size;
  return (
    distance >= distanceMin &&
    distance <= distanceMax &&
    Math.abs(above.left - piece.left) <= 0.3 * piece.size
  );
}
