/** Media type detection for files without one: by signature, else by name. */
import { mediaTypeOf } from '../message/media-types.ts';
import { fileTypeOf, mediaTypeOfFile, typeBySignature } from './detect.ts';

/** Signatures of images, in Latin-1. */
const pictures: Readonly<Record<string, RegExp>> = {
  'image/gif': /^GIF8[79]a/,
  'image/jpeg': /^\u00ff\u00d8\u00ff/,
  'image/png': /^\u0089PNG\r\n/,
  'image/webp': /^RIFF.{4}WEBP/s,
};

/** The media type of an outgoing file without one; `application/octet-stream` if unknown. */
export function sniffMediaType(filename: string, bytes: Buffer): string {
  const named = mediaTypeOf(filename);
  const proven = typeBySignature(bytes);
  const head = bytes.subarray(0, 16).toString('latin1');
  // A text may contain "%PDF-", which the detection accepts anywhere in the first KB.
  if (proven && (proven !== 'pdf' || head.startsWith('%PDF-'))) return mediaTypeOfFile(proven);
  const picture = Object.entries(pictures).find(([, beginning]) => beginning.test(head));
  if (picture) return picture[0];
  if (named !== 'application/octet-stream') return named;
  const type = bytes.length > 0 ? fileTypeOf({ filename, contentType: '', bytes }) : null;
  return type ? mediaTypeOfFile(type) : named;
}
