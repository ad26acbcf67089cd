/** Text of strangers with what is invisible in it shown. */

/**
 * What has no shape of its own (Unicode properties Cc, Zl, Zp, Bidi_Control, Default_Ignorable_Code_Point). Joiners and variation
 * selectors belong to emoji and to scripts such as Persian, and count only beside ASCII.
 */
const invisible =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]|(?<=[ -~])(?:\u200c|\u200d)|(?:\u200c|\u200d)(?=[ -~])/gu;

/** A control character such as U+202E as `[U+202E]`. */
export function visibleText(text: string): string {
  return text.replace(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}
