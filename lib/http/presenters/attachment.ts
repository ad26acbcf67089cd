/** The API record of an attachment (docs/concepts/attachments.md). */
import * as z from 'zod';
import { extractionStatuses, type TextExtraction, textFormats } from '../../mail/files/extracted-text.ts';
import type { LinkedAttachment } from '../../services/attachments/attachment-links.ts';
import { count, nullableText, text } from '../schemas.ts';
import { cidText, fileFields } from './fields.ts';

export const preparationSchema = z
  .strictObject({
    status: z
      .enum(extractionStatuses)
      .describe(
        '`ready`: the whole text; `partial`: `warnings` says what is missing; `unsupported`: no text can be extracted from this type; `failed`: the file cannot be read.',
      ),
    format: z.enum(textFormats).nullable().describe('Markup of the text; null when there is no text.'),
    pages: count(3, 'Number of pages or slides; null for other files.').nullable(),
    warnings: z.array(z.string()).meta({
      examples: [[]],
      description: 'What the text lacks and why, as sentences for people; empty where it is complete.',
    }),
    content_url: nullableText(
      'https://content.example.com/att/text?signature=example',
      'Signed link to the text, valid for 15 minutes; null when there is no text, and in events.',
    ),
    text: nullableText(
      null,
      'The beginning of the text, at most 256 KB; null without `include=attachment_content`.',
    ),
  })
  .meta({ id: 'AttachmentText', description: 'The text that was extracted from a received file.' });

export const attachmentSchema = z
  .strictObject({
    ...fileFields,
    cid: nullableText(null, cidText),
    download_url: text(
      'https://content.example.com/att/file?signature=example',
      'Signed link to the file, valid for 15 minutes.',
    ),
    preparation: preparationSchema
      .nullable()
      .describe('The extracted text; null while extraction runs, and for outbound email.'),
  })
  .meta({ id: 'Attachment', description: 'A file of an email.' });

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
