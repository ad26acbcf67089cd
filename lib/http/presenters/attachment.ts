/** The API record of an attachment (docs/concepts/attachments.md). */
import * as z from 'zod';
import { extractionStatuses, type TextExtraction, textFormats } from '../../mail/files/extracted-text.ts';
import type { LinkedAttachment } from '../../services/attachments/attachment-links.ts';
import { idSchema, nullableText, text } from '../schemas.ts';

export const preparationSchema = z
  .strictObject({
    status: z.enum(extractionStatuses),
    format: z.enum(textFormats).nullable().describe('null when there is no text.'),
    pages: z
      .int()
      .nullable()
      .meta({ examples: [3], description: 'Number of pages or slides; null for other files.' }),
    warnings: z.array(z.string()).meta({
      examples: [[]],
      description: 'What the text lacks and why, as sentences for people.',
    }),
    content_url: nullableText(
      'https://content.example.com/att/text?signature=example',
      'Signed link to the text, valid for 15 minutes; null when there is no text, and in events.',
    ),
    text: nullableText(null, 'null without `include=attachment_content`.'),
  })
  .meta({ id: 'AttachmentText' });

export const attachmentSchema = z
  .strictObject({
    id: idSchema('att'),
    filename: text('order.pdf'),
    content_type: text('application/pdf'),
    size: z.int().meta({ examples: [48213], description: 'Bytes of the decoded file.' }),
    cid: nullableText(null, 'Content-ID without brackets.'),
    download_url: text(
      'https://content.example.com/att/file?signature=example',
      'Signed link to the file, valid for 15 minutes.',
    ),
    preparation: preparationSchema
      .nullable()
      .describe('The extracted text; null while extraction runs, and for outbound email.'),
  })
  .meta({ id: 'Attachment' });

export function presentAttachment({
  file,
  downloadUrl,
  extraction,
}: LinkedAttachment): z.input<typeof attachmentSchema> {
  return {
    id: file.id,
    filename: file.filename,
    content_type: file.contentType,
    size: file.size,
    cid: file.cid,
    download_url: downloadUrl,
    preparation: presentPreparation(extraction, extraction ?? undefined),
  };
}

/** @param shown absent in events, which are stored: signed links would expire */
export function presentPreparation(
  preparation: TextExtraction | null,
  shown: { contentUrl: string | null; text: string | null } = { contentUrl: null, text: null },
): z.input<typeof preparationSchema> | null {
  return (
    preparation && {
      status: preparation.status,
      format: preparation.format,
      pages: preparation.pages,
      warnings: [...preparation.warnings],
      content_url: shown.contentUrl,
      text: shown.text,
    }
  );
}
