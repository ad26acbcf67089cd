/** Reading a file of a received message into text, beside the message's own way. */
import { getObject } from '../../adapters/objects.ts';
import { sendToQueue } from '../../adapters/queues.ts';
import type { ExtractText } from '../../core/queue-messages.ts';
import { type ExtractedText, withoutText } from '../../core/text-extraction.ts';
import { findAttachmentOf, listAttachments, storeExtraction } from '../../storage/attachments.ts';
import { attachmentObject } from '../../storage/email-content.ts';
import type { SourceFile } from '../../text-extraction/reader.ts';

/** A file that was begun so often without an end is one that brings the process down. */
const triesMax = 3;

/**
 * Does what a `extract-text` message asks for. Safe to repeat.
 *
 * @param tries how often the message was received, this time included
 * @param prepare reads a file into text, within limits of time and memory
 */
export async function extractAttachment(
  message: ExtractText,
  tries: number,
  prepare: (file: SourceFile) => Promise<ExtractedText>,
): Promise<void> {
  const { workspaceId, emailId, attachmentId } = message;
  const file = await findAttachmentOf(workspaceId, emailId, attachmentId);
  if (!file) return;
  if (file.extraction === null) {
    const prepared =
      tries > triesMax
        ? withoutText('failed', 'The file could not be read, though it was tried several times.')
        : await prepare({
            filename: file.filename,
            contentType: file.contentType,
            bytes: await getObject(attachmentObject(workspaceId, emailId, attachmentId)),
          });
    await storeExtraction(workspaceId, emailId, attachmentId, prepared);
  }
  // Read after the own write, so that of files that end at once the last one sees them all.
  const files = await listAttachments(workspaceId, emailId);
  if (files.every(({ extraction }) => extraction !== null)) {
    await sendToQueue(message.receivedEvent, message.receivedEvent.eventId);
  }
}
