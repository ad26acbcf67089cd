/** Files that a program sends: in the request itself, or stored before (contract, section 3, send body). */
import * as z from 'zod';
import type { AttachmentReference, InlineAttachment } from '../../core/mail/outgoing.ts';
import { idSchema } from '../schemas.ts';

export const filenameInput = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}/\\]+$/u, 'no path and no control characters');

/** Printable ASCII, as it becomes a header of mail and of HTTP. */
export const mediaTypeInput = z
  .string()
  .max(255)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[ -~]*)?$/, 'a media type such as "application/pdf"');

/** Content-ID, with or without its brackets; without them from here on. */
export const cidInput = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[!-~]+$/, 'printable ASCII')
  .transform((cid) => cid.replace(/^<(.*)>$/, '$1'));

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const dataUrl = /^data:([^;,]+)?(?:;[^;,=]+=[^;,]*)*;base64,/;

const inlineInput = z
  .strictObject({
    filename: filenameInput,
    content_type: mediaTypeInput.optional().describe('Absent: told from the content, else from the name.'),
    content: z.string().describe('Base64, or a data URL.'),
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

/** One file of a message. */
export const attachmentInput = z.union([inlineInput, referenceInput], {
  error: 'must be {filename, content} or {attachment_id}',
});
