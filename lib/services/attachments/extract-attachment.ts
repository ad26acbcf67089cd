/** Text extraction from a file of a received message (docs/concepts/attachments.md#text-extraction). */
import { getObject } from '../../adapters/objects.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import type { ExtractText } from '../../core/queue-messages.ts';
import { type ExtractedText, withoutText } from '../../mail/files/extracted-text.ts';
import type { SourceFile } from '../../mail/files/reader.ts';
import { findAttachmentOf, listAttachments, storeExtraction } from '../../storage/emails/attachments.ts';
import { attachmentObject } from '../../storage/emails/email-content.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';

/** Receives after which extraction is given up: the file has probably ended the process each time. */
const receivesMax = 3;

/**
 * Processes an `extract-text` message. Idempotent.
 *
 * @param receives how often the message was received, this time included
 * @param extract extracts the text of a file, within limits of time and memory
 */
export async function extractAttachment(
  message: ExtractText,
  receives: number,
  extract: (file: SourceFile) => Promise<ExtractedText>,
): Promise<void> {
  const { workspaceId, emailId, attachmentId } = message;
  const [file, email] = await Promise.all([
    findAttachmentOf(workspaceId, emailId, attachmentId),
    findEmail(workspaceId, emailId),
  ]);
  // The email was removed, or its space is deleted.
  if (!file || !email) return;
  if (file.extraction === null) {
    const extracted =
      receives > receivesMax
        ? withoutText('failed', 'The file could not be read in several attempts.')
        : await extract({
            filename: file.filename,
            contentType: file.contentType,
            bytes: await getObject(attachmentObject(workspaceId, emailId, attachmentId)),
            hint: {
              charset: file.charset ?? null,
              text: [file.filename, email.from.name, email.subject, email.snippet].join(' '),
            },
          });
    await storeExtraction(workspaceId, emailId, attachmentId, extracted);
  }
  // Read after this file's write: of files that are done at the same time, the last one finds all of them done.
  const files = await listAttachments(workspaceId, emailId);
  const { receivedEvent } = message;
  if (receivedEvent && files.every(({ extraction }) => extraction !== null)) {
    await sendToQueue(receivedEvent, receivedEvent.eventId);
  }
}
