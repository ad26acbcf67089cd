/** Snippets of texts. */
const snippetCharacters = 200;
/** Characters searched for a snippet: the padding after a preheader can be long. */
const snippetReach = 20_000;

/** The first 200 characters of a text on one line, without the invisible padding of marketing mail. */
export function snippet(text: string): string {
  const line = text
    .slice(0, snippetReach)
    // A single joiner belongs to an emoji or a Persian word; several zero-width characters are padding.
    .replace(
      /(?:[\s\p{Cc}\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|\u034f){2,}|[\s\p{Cc}\u00ad\u200b\u2060\ufeff]/gu,
      ' ',
    )
    .trim();
  // A code point has at most two UTF-16 code units.
  return [...line.slice(0, 2 * snippetCharacters)].slice(0, snippetCharacters).join('').trimEnd();
}
