/** Limits of the fields of received messages, applied when a field is read (docs/concepts/limits.md). */

export const fieldLimits = {
  /** UTF-8 bytes. */
  displayNameBytes: 255,
  /** UTF-8 bytes (RFC 5321 4.5.3.1: 64 for the local part, 255 for the domain). */
  addressBytes: 320,
  /** Addresses in all fields of one name. */
  addresses: 1000,
  subjectBytes: 2000,
  /** UTF-8 bytes; a longer id does not fit in a header line (RFC 5322 2.1.1). */
  messageIdBytes: 995,
  /** First and last ids kept of a longer References or In-Reply-To. */
  firstReferences: 20,
  lastReferences: 80,
  headers: 1000,
  headerNameBytes: 200,
  /** As many as a header value of an email sent through the API may take. */
  headerValueBytes: 24_000,
  /** UTF-8 bytes of the names and values of all headers. */
  headersBytes: 512 * 1024,
  filenameBytes: 255,
  contentIdBytes: 255,
  mediaTypeBytes: 255,
} as const;

/** The text, cut to so many UTF-8 bytes at a character boundary. */
export function cutBytes(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text;
  // No character has fewer bytes than UTF-16 code units.
  const bytes = Buffer.from(text.slice(0, bytesMax));
  if (bytes.length <= bytesMax)
    return text.length <= bytesMax ? text : withoutHalfPair(text.slice(0, bytesMax));
  let end = bytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/** The name of a file without its folders, as Windows or POSIX writes them; null if nothing is left. */
export function baseFilename(path: string): string | null {
  const base = path
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .replace(/^[A-Za-z]:/, '');
  return base && !/^\.{1,2}$/.test(base) ? cutFilename(base) : null;
}

/** A filename cut to so many UTF-8 bytes, with its extension. */
export function cutFilename(name: string, bytesMax: number = fieldLimits.filenameBytes): string {
  const extension = /\.[\p{L}\p{N}]{1,16}$/u.exec(name.slice(-20))?.[0] ?? '';
  const cut = cutBytes(name, bytesMax);
  if (cut === name || extension === '') return cut;
  return `${cutBytes(name, bytesMax - Buffer.byteLength(extension))}${extension}`;
}

/** The first and the last items of a long list: ids at the beginning name the conversation, those at the end its place. */
export function cutReferences(ids: readonly string[]): readonly string[] {
  const { firstReferences, lastReferences } = fieldLimits;
  if (ids.length <= firstReferences + lastReferences) return ids;
  return [...ids.slice(0, firstReferences), ...ids.slice(-lastReferences)];
}

function withoutHalfPair(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
