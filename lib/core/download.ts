/** How a file from a stranger is handed to a browser: under its own name, and never as a page of ours. */
import { extname } from 'node:path';

/** Types that a browser shows or plays without running anything in them. */
const inert =
  /^(?:image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|font\/[\w.+-]+|text\/(?:plain|csv|calendar|markdown|rtf)|application\/(?:pdf|rtf|json|zip|gzip|msword|pgp-[\w-]+|pkcs7-[\w-]+|vnd\.[\w.-]+))$/;
const mediaType = /^[\w.+-]+\/[\w.+-]+$/;

/** The media type to serve a file as: its own where that is harmless, else one that is only ever stored. */
export function servedType(contentType: string): string {
  return inert.test(contentType) ? contentType : 'application/octet-stream';
}

/** The media type of a file as a header tells of it; what is no media type is told as unknown. */
export function namedType(contentType: string): string {
  return mediaType.test(contentType) ? contentType : 'application/octet-stream';
}

/**
 * `Content-Disposition` that saves a file under its name, in any script (RFC 6266, RFC 8187). Readers that know only
 * the old parameter get the name with underscores for what it cannot say.
 */
export function contentDisposition(filename: string): string {
  const name = safeName(filename);
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const quoted = `attachment; filename="${plain}"`;
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${encodeName(name)}`;
}

/** Longest name that common file systems take, in UTF-8 bytes. */
const nameBytesMax = 255;

/** A name without path, control and direction characters: those make `exe.txt` of `txt.exe`. */
function safeName(filename: string): string {
  const name = filename
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[/\\]/g, '_')
    .toWellFormed()
    .trim();
  return shortened(name) || 'attachment';
}

/** The beginning of a long name, with its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= nameBytesMax) return name;
  const extension = Buffer.byteLength(extname(name)) <= 16 ? extname(name) : '';
  let stem = name.slice(0, nameBytesMax);
  while (Buffer.byteLength(stem + extension) > nameBytesMax) stem = [...stem].slice(0, -1).join('');
  return stem + extension;
}

/** RFC 8187, `value-chars`: everything but its `attr-char` is percent-encoded. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
