/** Parsing of Message-IDs (RFC 5322 3.6.4), apart from their use: it loads a parser of mail, which submission does not need. */
import { decodeWords } from 'postal-mime';
import { fieldLimits } from './field-limits.ts';

/**
 * The ids in a `Message-ID`, `In-Reply-To` or `References` value, in order, each once, with angle brackets. Accepts
 * missing brackets, commas, phrases between ids, white space inside them and encoded words. Linear.
 */
export function parseMessageIds(headerValue: string): string[] {
  const ids = new Set<string>();
  // Split at each `<`: an id that is never closed ends where the next begins.
  const [before = '', ...opened] = decodedIds(headerValue).split('<');
  for (const bare of unbracketed(before)) ids.add(bare);
  for (const text of opened) {
    const close = text.indexOf('>');
    const content = close < 0 ? text : text.slice(0, close);
    if (content.length <= bracketedMax) addId(ids, content.replace(/\s+/g, ''));
    if (close >= 0) for (const bare of unbracketed(text.slice(close + 1))) ids.add(bare);
  }
  return [...ids];
}

/** Room for white space inside an id, which is removed. */
const bracketedMax = 4 * fieldLimits.messageIdBytes;

function addId(ids: Set<string>, id: string): void {
  if (id !== '' && Buffer.byteLength(id) <= fieldLimits.messageIdBytes) ids.add(`<${id}>`);
}

/** Of a longer value, only both ends are read. */
const endCharactersMax = 128 * 1024;

/** Python's email package writes ids of more than 78 characters, as SES's are, as encoded words. */
function decodedIds(headerValue: string): string {
  const value =
    headerValue.length <= 2 * endCharactersMax
      ? headerValue
      : `${headerValue.slice(0, endCharactersMax)} ${headerValue.slice(-endCharactersMax)}`;
  return value.includes('=?') ? decodeWords(value) : value;
}

/** Ids without brackets: words with text on both sides of an `@`. */
function unbracketed(text: string): string[] {
  return text
    .split(/[\s,;"'()>]+/)
    .filter((word) => Buffer.byteLength(word) <= fieldLimits.messageIdBytes && isAddressLike(word))
    .map((word) => `<${word}>`);
}

/** Whether a word has one `@` with text on both sides. */
function isAddressLike(word: string): boolean {
  const at = word.indexOf('@');
  return at > 0 && at < word.length - 1 && !word.includes('@', at + 1);
}
