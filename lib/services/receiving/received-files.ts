/** Files of a received message: stored as received, and queued for text extraction. */
import { newId } from '../../adapters/ids.ts';
import { putObject } from '../../adapters/objects.ts';
import type { AttachmentRecord } from '../../core/attachments/attachment.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { OutboxMessage, PublishEvent } from '../../core/queue-messages.ts';
import { allDone } from '../../core/work/all-done.ts';
import { type TextExtraction, withoutText } from '../../mail/files/extracted-text.ts';
import type { SourceFile } from '../../mail/files/reader.ts';
import { screenFile } from '../../mail/files/screen-file.ts';
import { mediaTypeOf } from '../../mail/message/media-types.ts';
import type { ParsedAttachment } from '../../mail/message/mime-body.ts';
import { recordAttachments } from '../../storage/emails/attachments.ts';
import { attachmentObject } from '../../storage/emails/email-content.ts';

/** How long `email.received` waits for text extraction. */
const extractionWaitMs = 10_000;
/** Files stored at once. */
const storedAtOnce = 10;

/** A file of a message with its record. Where text extraction is pending, its `extraction` is null. */
export interface ReceivedFile {
  readonly record: AttachmentRecord;
  readonly bytes: Uint8Array;
}

/** The files of a message, with new ids. */
export function receivedFiles(attachments: readonly ParsedAttachment[]): ReceivedFile[] {
  return attachments.map((file, at) => ({ record: recordOf(file, at), bytes: file.content }));
}

/** Stores the files of a message ahead of its transaction. */
export async function storeReceivedFiles(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly ReceivedFile[],
): Promise<void> {
  const records = files.map(({ record }) => record);
  await allDone([
    storeObjects(workspaceId, emailId, files),
    recordAttachments(workspaceId, emailId, records),
  ]);
}

async function storeObjects(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly ReceivedFile[],
): Promise<void> {
  for (let at = 0; at < files.length; at += storedAtOnce) {
    await allDone(
      files
        .slice(at, at + storedAtOnce)
        .map(({ record: { id, contentType }, bytes }) =>
          putObject(attachmentObject(workspaceId, emailId, id), bytes, contentType),
        ),
    );
  }
}

function recordOf(file: ParsedAttachment, at: number): AttachmentRecord {
  const filename = file.filename ?? `attachment-${at + 1}`;
  const contentType = file.contentType || mediaTypeOf(filename);
  return {
    id: newId('att'),
    filename,
    contentType,
    size: file.content.length,
    cid: file.cid,
    ...(file.charset && { charset: file.charset }),
    extraction: screened({ filename, contentType, bytes: file.content }, at),
  };
}

/** The outcome for a file whose text is not extracted, such as an image; null where extraction is queued. */
function screened(file: SourceFile, at: number): TextExtraction | null {
  const rejected =
    at < limits.extractedFiles
      ? screenFile(file)
      : withoutText(
          'unsupported',
          `Text is extracted from the first ${limits.extractedFiles} files of a message only.`,
        );
  if (!rejected) return null;
  const { text: _, ...extraction } = rejected;
  return extraction;
}

/**
 * The messages of a received email: text extraction of its files, and `email.received`. The event is published when all
 * files are done, or after ten seconds. Both carry one event id, so that its deliveries are created once.
 *
 * @param event null: none is published
 */
export function receivedMessages(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly AttachmentRecord[],
  event: PublishEvent | null,
): OutboxMessage[] {
  const pending = files.filter(({ extraction }) => extraction === null);
  if (pending.length === 0) return event ? [{ message: event }] : [];
  const message = { kind: 'extract-text', v: 1, workspaceId, emailId, receivedEvent: event } as const;
  return [
    ...pending.map(({ id }) => ({ message: { ...message, attachmentId: id } })),
    ...(event ? [{ message: event, dueAt: event.at + extractionWaitMs }] : []),
  ];
}
