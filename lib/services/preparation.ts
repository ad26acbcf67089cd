/** Reading a file of a received message into text, beside the message's own way. */
import { getObject } from '../adapters/objects.ts';
import { enqueue } from '../adapters/queues.ts';
import type { PrepareAttachment } from '../domain/messages.ts';
import { type Prepared, withoutText } from '../domain/preparation.ts';
import type { SourceFile } from '../preparation/reading.ts';
import { findAttachmentOf, listAttachments, storePreparation } from '../storage/attachments.ts';
import { attachmentObject } from '../storage/email-content.ts';

/** A file that was begun so often without an end is one that brings the process down. */
const triesMax = 3;

/**
 * Does what a `prepare-attachment` message asks for. Safe to repeat.
 *
 * @param tries how often the message was received, this time included
 * @param prepare reads a file into text, within limits of time and memory
 */
export async function prepareReceivedFile(
  message: PrepareAttachment,
  tries: number,
  prepare: (file: SourceFile) => Promise<Prepared>,
): Promise<void> {
  const { workspaceId, emailId, attachmentId } = message;
  const file = await findAttachmentOf(workspaceId, emailId, attachmentId);
  if (!file) return;
  if (file.preparation === null) {
    const prepared =
      tries > triesMax
        ? withoutText('failed', 'The file could not be read, though it was tried several times.')
        : await prepare({
            filename: file.filename,
            contentType: file.contentType,
            bytes: await getObject(attachmentObject(workspaceId, emailId, attachmentId)),
          });
    await storePreparation(workspaceId, emailId, attachmentId, prepared);
  }
  // Read after the own write, so that of files that end at once the last one sees them all.
  const files = await listAttachments(workspaceId, emailId);
  if (files.every(({ preparation }) => preparation !== null)) {
    await enqueue(message.news, message.news.eventId);
  }
}
