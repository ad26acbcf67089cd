/** Text of strangers on a terminal: no character of it moves the cursor, sets a colour, or changes the order of what is read. */

/**
 * Control characters (C0 but tab and newline, DEL, C1), and the characters that reorder or hide text (Unicode Standard Annex #9;
 * Unicode Technical Report #36, section 3.1).
 */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Text of several lines, with what is unsafe in a visible form: ESC is ␛. */
export function cleanText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(unsafe, (character) => visible(character))
    .replaceAll('\t', '    ');
}

/** Text on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/\s*\n\s*/g, ' ');
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return code <= 0x9f ? '�' : '';
}

/** JSON in which no character is unsafe on a terminal; the value that it means stays the same. @param indent spaces; 0 for one line */
export function toJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replaceAll(unsafe, (character) =>
    // Newlines between the fields are no part of a string.
    [...character].map(escaped).join(''),
  );
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A sequence that sets a colour or a weight. */
const style = '\\u001b\\[[0-9;]*m';
const foreignEscape = new RegExp(
  `(?!${style})\\u001b|[\\u0000-\\u0008\\u000b-\\u001a\\u001c-\\u001f\\u007f-\\u009f]`,
  'gu',
);

/** The last line of defence: output of this program has colours, and no other control character. */
export function onlyStyled(text: string): string {
  return text.replaceAll(foreignEscape, '�');
}
