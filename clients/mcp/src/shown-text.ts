/** Text of mail as a model may see it: without characters that are invisible or change the direction, cut to a length. */

/** Controls, and what is not displayed: text can hide in direction marks, tags, variation selectors and characters without width. */
const hidden = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/gu;
/** Tab and line feed; the joiners and the variation selectors of scripts and emoji. */
const kept = new Set(['\t', '\n', '\u200C', '\u200D', '\uFE0E', '\uFE0F']);
/** No script and no emoji has so many in a row. */
const joinerRuns = /(?:\u200C|\u200D|\uFE0E|\uFE0F){4,}/gu;

export interface ShownText {
  readonly text: string;
  /** How many characters were removed. */
  readonly hiddenCharacters: number;
}

/** The visible text. Line ends become line feeds. */
export function visible(text: string): ShownText {
  const lines = text.toWellFormed().replaceAll(/\r\n?/g, '\n');
  const shown = lines
    .replaceAll(hidden, (character) => (kept.has(character) ? character : ''))
    .replaceAll(joinerRuns, '');
  return { text: shown, hiddenCharacters: lines.length - shown.length };
}

/** A part of a text, and where the next one begins. */
export interface TextPart {
  readonly text: string;
  readonly offset: number;
  /** null: this is the end. */
  readonly nextOffset: number | null;
  /** Of the whole text, in characters (UTF-16 code units). */
  readonly characters: number;
}

/** The part from `offset` on; ends at a line end where one is near, and never within a character. */
export function partOf(text: string, offset: number, charactersMax: number): TextPart {
  const start = Math.min(offset, text.length);
  const end = endOf(text, start, start + charactersMax);
  return {
    text: text.slice(start, end),
    offset: start,
    nextOffset: end < text.length ? end : null,
    characters: text.length,
  };
}

function endOf(text: string, start: number, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const line = text.lastIndexOf('\n', wanted - 1) + 1;
  if (line > start && wanted - line < 200) return line;
  return isWithinCharacter(text, wanted) ? wanted - 1 : wanted;
}

const isWithinCharacter = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
};

/** A text on one line, cut with an ellipsis. */
export function oneLine(text: string, charactersMax: number): string {
  const line = visible(text).text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= charactersMax) return line;
  return `${partOf(line, 0, charactersMax - 1).text.trimEnd()}…`;
}
