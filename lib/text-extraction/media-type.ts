/** What a file is that comes without a media type: by its bytes where they tell, else by its name. */
import { mediaTypeOf } from '../core/mail/outgoing.ts';
import { fileTypeOf, mediaTypeOfFile, typeBySignature } from './detect.ts';

/** How files of these types begin, each byte a character. */
const pictures: Readonly<Record<string, RegExp>> = {
  'image/gif': /^GIF8[79]a/,
  'image/jpeg': /^\u00ff\u00d8\u00ff/,
  'image/png': /^\u0089PNG\r\n/,
  'image/webp': /^RIFF.{4}WEBP/s,
};

/** The media type of a file that a program sends without naming one; `application/octet-stream` where nothing tells. */
export function sniffMediaType(filename: string, bytes: Buffer): string {
  const named = mediaTypeOf(filename);
  const proven = typeBySignature(bytes);
  const head = bytes.subarray(0, 16).toString('latin1');
  // A text may speak of "%PDF-", which readers of PDF look for in the whole first KB.
  if (proven && (proven !== 'pdf' || head.startsWith('%PDF-'))) return mediaTypeOfFile(proven);
  const picture = Object.entries(pictures).find(([, beginning]) => beginning.test(head));
  if (picture) return picture[0];
  if (named !== 'application/octet-stream') return named;
  const type = bytes.length > 0 ? fileTypeOf({ filename, contentType: '', bytes }) : null;
  return type ? mediaTypeOfFile(type) : named;
}
