/** Response headers of downloads: a received file is saved under its name and never rendered on our origin. */
import { extname } from 'node:path';

/** Media types in which a browser runs no script. */
const inert =
  /^(?:image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|font\/[\w.+-]+|text\/(?:plain|csv|calendar|markdown|rtf)|application\/(?:pdf|rtf|json|zip|gzip|msword|pgp-[\w-]+|pkcs7-[\w-]+|vnd\.[\w.-]+))$/;

/** The media type to serve a file as: its own where a browser runs no script in it, else `application/octet-stream`. */
export function servedType(contentType: string): string {
  return inert.test(contentType) ? contentType : 'application/octet-stream';
}

/**
 * `Content-Disposition` that saves a file under its name, in any script (RFC 6266, RFC 8187). For clients without
 * `filename*`, `filename` has underscores in place of other characters than ASCII.
 */
export function contentDisposition(filename: string): string {
  const name = safeName(filename);
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const quoted = `attachment; filename="${plain}"`;
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${encodeName(name)}`;
}

/** Longest name in common file systems, in UTF-8 bytes. */
const nameBytesMax = 255;

/** A name without path separators, control characters and direction overrides, which show `txt.exe` as `exe.txt`. */
function safeName(filename: string): string {
  const name = filename
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[/\\]/g, '_')
    .toWellFormed()
    .trim();
  return shortened(name) || 'attachment';
}

/** A long name cut to `nameBytesMax`, with its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= nameBytesMax) return name;
  const extension = Buffer.byteLength(extname(name)) <= 16 ? extname(name) : '';
  let stem = name.slice(0, nameBytesMax);
  while (Buffer.byteLength(stem + extension) > nameBytesMax) stem = [...stem].slice(0, -1).join('');
  return stem + extension;
}

/** Percent-encodes everything but `attr-char` (RFC 8187, 3.2.1). */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
