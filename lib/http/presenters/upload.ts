/** The API record and input of an upload (docs/concepts/attachments.md). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import type { PendingUpload } from '../../services/attachments/open-upload.ts';
import { idSchema, text, timestampOf, timestampSchema } from '../schemas.ts';
import { cidInput, filenameInput, mediaTypeInput } from './outgoing-attachment.ts';

export const uploadInput = z
  .strictObject({
    filename: filenameInput,
    content_type: mediaTypeInput,
    size: z
      .int()
      .min(1)
      .refine((bytes) => bytes <= limits.attachmentBytes, {
        message: `is more than ${limits.attachmentBytes} bytes (25 MB)`,
        params: { problem: 'attachments_too_large' },
      })
      .meta({
        maximum: limits.attachmentBytes,
        examples: [10_000_000],
        description: 'Exact size of the file in bytes, at most 25 MB.',
      }),
    cid: cidInput.optional(),
  })
  .meta({
    description: 'The file that will be uploaded.',
    examples: [{ filename: 'film.mp4', content_type: 'video/mp4', size: 10_000_000 }],
  });

export const uploadSchema = z
  .strictObject({
    id: idSchema('att'),
    upload_url: text(
      'https://content.example.com/uploads/att?signature=example',
      'Signed link for one PUT of the file, valid for 15 minutes.',
    ),
    upload_headers: z.record(z.string(), z.string()).meta({
      examples: [{ 'content-type': 'video/mp4', 'content-length': '10000000' }],
      description: 'Headers that the PUT must carry; the link accepts only this type and size.',
    }),
    expires_at: timestampSchema.describe('Until then a send can name the uploaded file: 24 hours.'),
  })
  .meta({ id: 'AttachmentUpload', description: 'Where to upload a file, and until when it can be used.' });

export function presentUpload({ upload, url, headers }: PendingUpload): z.input<typeof uploadSchema> {
  return {
    id: upload.id,
    upload_url: url,
    upload_headers: { ...headers },
    expires_at: timestampOf(upload.expiresAt),
  };
}
