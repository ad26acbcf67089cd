/** Attachments in the input of a send: inline, or by the id of an upload (docs/concepts/attachments.md). */
import * as z from 'zod';
import type { AttachmentReference, InlineAttachment } from '../../core/mail/outgoing.ts';
import { idSchema } from '../schemas.ts';

export const filenameInput = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}/\\]+$/u, 'must not contain slashes or control characters');

/** Printable ASCII: the value becomes a header of the mail and of HTTP responses. */
export const mediaTypeInput = z
  .string()
  .max(255)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[ -~]*)?$/, 'must be a media type such as "application/pdf"');

/** Content-ID (RFC 2392) with or without angle brackets; parsed without them. */
export const cidInput = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[!-~]+$/, 'must be printable ASCII without spaces')
  .transform((cid) => cid.replace(/^<(.*)>$/, '$1'));

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const dataUrl = /^data:([^;,]+)?(?:;[^;,=]+=[^;,]*)*;base64,/;

const inlineInput = z
  .strictObject({
    filename: filenameInput,
    content_type: mediaTypeInput
      .optional()
      .describe('Default: detected from the content, then from the file name.'),
    content: z.string().describe('Base64 (RFC 4648), or a data URL (RFC 2397).'),
    cid: cidInput.optional(),
  })
  .transform((input, context): InlineAttachment => {
    const [prefix = '', type] = dataUrl.exec(input.content) ?? [];
    const encoded = input.content.slice(prefix.length).replace(/\s+/g, '');
    if (!base64.test(encoded)) {
      context.addIssue({ code: 'custom', path: ['content'], message: 'must be base64, or a data URL' });
      return z.NEVER;
    }
    return {
      filename: input.filename,
      contentType: input.content_type ?? type ?? null,
      content: Buffer.from(encoded, 'base64'),
      cid: input.cid ?? null,
    };
  });

const referenceInput = z
  .strictObject({
    attachment_id: idSchema('att').describe('An upload (`POST /attachments`), or a file of any email.'),
    cid: cidInput.optional(),
  })
  .transform(
    ({ attachment_id, cid }): AttachmentReference => ({ attachmentId: attachment_id, cid: cid ?? null }),
  );

/** An attachment of a message. */
export const attachmentInput = z.union([inlineInput, referenceInput], {
  error: 'must be {filename, content} or {attachment_id}',
});
