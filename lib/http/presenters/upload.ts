/** Uploads on the wire (contract, section 2, `POST /attachments`). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import type { PendingUpload } from '../../services/attachments/open-upload.ts';
import { idSchema, timestampSchema } from '../schemas.ts';
import { cidInput, filenameInput, mediaTypeInput } from './outgoing-attachment.ts';

export const uploadInput = z.strictObject({
  filename: filenameInput,
  content_type: mediaTypeInput,
  size: z
    .int()
    .min(1)
    .refine((bytes) => bytes <= limits.attachmentBytes, {
      message: `at most ${limits.attachmentBytes} bytes (25 MB)`,
      params: { problem: 'attachments_too_large' },
    })
    .meta({ maximum: limits.attachmentBytes, description: 'Bytes of the file.' }),
  cid: cidInput.optional(),
});

export const uploadSchema = z.strictObject({
  id: idSchema('att'),
  upload_url: z.string().describe('Takes one file by PUT, without a key, for 15 minutes.'),
  upload_headers: z
    .record(z.string(), z.string())
    .describe('Headers of that PUT, exactly so: the link takes no other type and size.'),
  expires_at: timestampSchema.describe('Until then the file can be named in a send, once it is uploaded.'),
});

export function presentUpload({ upload, url, headers }: PendingUpload): z.input<typeof uploadSchema> {
  return {
    id: upload.id,
    upload_url: url,
    upload_headers: { ...headers },
    expires_at: new Date(upload.expiresAt).toISOString(),
  };
}
