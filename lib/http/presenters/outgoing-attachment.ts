/** Attachments in the input of a send: inline, or by the id of an upload (docs/concepts/attachments.md). */
import * as z from 'zod';
import type { AttachmentReference, InlineAttachment } from '../../core/attachments/requested-attachment.ts';
import { idSchema } from '../schemas.ts';

export const filenameInput = z
  .string()
  .min(1)
  .max(255, { abort: true })
  .regex(/^[^\p{Cc}/\\]+$/u, 'must not contain slashes or control characters')
  .meta({ examples: ['order.pdf'], description: 'Name that the recipient sees.' });

/** Printable ASCII: the value becomes a header of the mail and of HTTP responses. */
export const mediaTypeInput = z
  .string()
  .max(255, { abort: true })
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[ -~]*)?$/, 'must be a media type such as "application/pdf"')
  .meta({
    examples: ['application/pdf'],
    description: 'Media type of the file, with or without parameters.',
  });

export const optionalMediaTypeInput = mediaTypeInput
  .optional()
  .describe('Media type of the file; without it, detected from the content, then from the file name.');

/** Content-ID (RFC 2392) with or without angle brackets; parsed without them. */
export const cidInput = z
  .string()
  .min(1)
  .max(255, { abort: true })
  .regex(/^[!-~]+$/, 'must be printable ASCII without spaces')
  .transform((cid) => cid.replace(/^<(.*)>$/, '$1'))
  .meta({
    examples: ['logo@acme.dev'],
    description: 'Content-ID, by which html shows the file as `cid:…`; angle brackets are removed.',
  });

/** Longer than any media type with parameters. */
const dataUrlPrefixMax = 500;

/** The media type and the data of a data URL with base64 (RFC 2397); null for other text. */
function readDataUrl(text: string): { type: string | null; data: string } | null {
  if (!text.startsWith('data:')) return null;
  const comma = text.slice(0, dataUrlPrefixMax).indexOf(',');
  const [type = '', ...parameters] = text.slice('data:'.length, Math.max(comma, 0)).split(';');
  if (comma < 0 || parameters.at(-1) !== 'base64') return null;
  return { type: type === '' ? null : type, data: text.slice(comma + 1) };
}

/**
 * Decodes base64 (RFC 4648, section 4), with or without padding and line breaks; null for other text. Node skips invalid
 * characters, so the result is encoded again and compared: a regular expression over megabytes overflows V8's stack.
 */
function decodeBase64(text: string): Buffer | null {
  const encoded = withoutPadding(text.replace(/\s/g, ''));
  const content = Buffer.from(encoded, 'base64');
  const canonical = withoutPadding(content.toString('base64'));
  // The last character may have unused bits that are not zero.
  const isSame =
    canonical.length === encoded.length &&
    canonical.slice(0, -1) === encoded.slice(0, -1) &&
    /^[A-Za-z0-9+/]?$/.test(encoded.slice(-1));
  return isSame ? content : null;
}

function withoutPadding(text: string): string {
  const length = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
  return text.slice(0, length);
}

/** Of API Gateway ("Quotas for HTTP APIs"). */
const requestBytesMax = 10 * 1024 * 1024;

/** The content of an attachment: its bytes, and the media type of a data URL. */
export const contentInput = z
  .string()
  .transform((encoded, context): { readonly bytes: Buffer; readonly type: string | null } => {
    const dataUrl = readDataUrl(encoded);
    const bytes = decodeBase64(dataUrl?.data ?? encoded);
    if (bytes) return { bytes, type: dataUrl?.type ?? null };
    context.addIssue({ code: 'custom', message: 'must be base64 or a data URL' });
    return z.NEVER;
  })
  .meta({
    maxLength: requestBytesMax,
    examples: ['SGVsbG8='],
    description:
      'The file as base64 (RFC 4648) or a data URL (RFC 2397); the request body can have about 6 MB.',
  });

const inlineInput = z
  .strictObject({
    filename: filenameInput,
    content_type: optionalMediaTypeInput,
    content: contentInput,
    cid: cidInput.optional(),
  })
  .meta({ id: 'InlineAttachment', description: 'A file in the request itself.' })
  .transform(({ filename, content_type: given, content: { bytes, type }, cid = null }): InlineAttachment => {
    return { filename, contentType: given ?? type, content: bytes, cid };
  });

const referenceInput = z
  .strictObject({
    attachment_id: idSchema('att').describe(
      'An upload (`POST /attachments`), or a file of any email of the workspace.',
    ),
    cid: cidInput.optional(),
  })
  .meta({ id: 'AttachmentReference', description: 'A file that was uploaded, sent or received before.' })
  .transform(
    ({ attachment_id, cid }): AttachmentReference => ({ attachmentId: attachment_id, cid: cid ?? null }),
  );

/** An attachment of a message. */
export const attachmentInput = z.union([inlineInput, referenceInput], {
  error: 'must be {filename, content} or {attachment_id}',
});
