/** Attachments on the wire (contract, section 4). */
import * as z from 'zod';
import { extractionStatuses, type TextExtraction, textFormats } from '../../core/text-extraction.ts';
import type { LinkedAttachment } from '../../services/attachments/attachment-links.ts';
import { idSchema } from '../schemas.ts';

export const preparationSchema = z.strictObject({
  status: z.enum(extractionStatuses),
  format: z.enum(textFormats).nullable().describe('null where there is no text.'),
  pages: z.int().nullable().describe('Pages or slides, where the file has them.'),
  warnings: z.array(z.string()).describe('What is missing from the text, and why; for people.'),
  content_url: z
    .string()
    .nullable()
    .describe('Works without a key for 15 minutes. null where there is no text, and in events.'),
  text: z.string().nullable().describe('null unless asked for with `include=attachment_content`.'),
});

export const attachmentSchema = z.strictObject({
  id: idSchema('att'),
  filename: z.string(),
  content_type: z.string(),
  size: z.int().describe('Decoded bytes.'),
  cid: z.string().nullable(),
  download_url: z.string().describe('Works without a key for 15 minutes.'),
  preparation: preparationSchema
    .nullable()
    .describe('The file as text; null while it is being read, and on outbound mail.'),
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

/** @param shown absent in events, which are stored and repeated: links are made when somebody asks for them */
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
