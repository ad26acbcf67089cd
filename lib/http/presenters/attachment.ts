/** The API record of an attachment (docs/concepts/attachments.md). */
import * as z from 'zod';
import { extractionStatuses, type TextExtraction, textFormats } from '../../core/text-extraction.ts';
import type { LinkedAttachment } from '../../services/attachments/attachment-links.ts';
import { idSchema } from '../schemas.ts';

export const preparationSchema = z.strictObject({
  status: z.enum(extractionStatuses),
  format: z.enum(textFormats).nullable().describe('null when there is no text.'),
  pages: z.int().nullable().describe('Number of pages or slides; null for other files.'),
  warnings: z.array(z.string()).describe('What the text lacks and why, as sentences for people.'),
  content_url: z
    .string()
    .nullable()
    .describe('Signed link to the text, valid for 15 minutes; null when there is no text, and in events.'),
  text: z.string().nullable().describe('null without `include=attachment_content`.'),
});

export const attachmentSchema = z.strictObject({
  id: idSchema('att'),
  filename: z.string(),
  content_type: z.string(),
  size: z.int().describe('Bytes of the decoded file.'),
  cid: z.string().nullable().describe('Content-ID without brackets.'),
  download_url: z.string().describe('Signed link to the file, valid for 15 minutes.'),
  preparation: preparationSchema
    .nullable()
    .describe('The extracted text; null while extraction runs, and for outbound email.'),
});

export function presentAttachment({
  file,
  downloadUrl,
  preparation,
}: LinkedAttachment): z.input<typeof attachmentSchema> {
  return {
    id: file.id,
    filename: file.filename,
    content_type: file.contentType,
    size: file.size,
    cid: file.cid,
    download_url: downloadUrl,
    preparation: presentPreparation(preparation, preparation ?? undefined),
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
