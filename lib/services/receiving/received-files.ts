/** The files of a received message: stored as they came, with what they owe before the message is told of. */

import { newId } from '../../adapters/ids.ts';
import { putObject } from '../../adapters/objects.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { ParsedAttachment } from '../../core/mail/mime-body.ts';
import { mediaTypeOf } from '../../core/mail/outgoing.ts';
import type { OutboxMessage, PublishEvent } from '../../core/queue-messages.ts';
import { type TextExtraction, withoutText } from '../../core/text-extraction.ts';
import { type AttachmentRecord, recordAttachments } from '../../storage/attachments.ts';
import { attachmentObject } from '../../storage/email-content.ts';
import type { SourceFile } from '../../text-extraction/reader.ts';
import { screenFile } from '../../text-extraction/screen-file.ts';

/** How long the news of a message waits for its files to be read. */
const preparationWaitMs = 10_000;
/** Files are stored so many at a time. */
const storedAtOnce = 10;

/** Stores the files of a message ahead of its transaction. Those that wait to be read have no `preparation` yet. */
export async function storeReceivedFiles(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly ParsedAttachment[],
): Promise<AttachmentRecord[]> {
  const records = files.map(recordOf);
  for (let at = 0; at < files.length; at += storedAtOnce) {
    await Promise.all(
      records.slice(at, at + storedAtOnce).map(async ({ id, contentType }, offset) => {
        const content = files[at + offset]?.content ?? new Uint8Array();
        await putObject(attachmentObject(workspaceId, emailId, id), content, contentType);
      }),
    );
  }
  await recordAttachments(workspaceId, emailId, records);
  return records;
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
    preparation: judged({ filename, contentType, bytes: file.content }, at),
  };
}

/** Pictures and the like are not worth a message: that they are not prepared is known at once. */
function judged(file: SourceFile, at: number): TextExtraction | null {
  const judgement =
    at < limits.extractedFiles
      ? screenFile(file)
      : withoutText(
          'unsupported',
          `Only the first ${limits.extractedFiles} files of a message are prepared.`,
        );
  if (!judgement) return null;
  const { text: _, ...preparation } = judgement;
  return preparation;
}

/**
 * What a received message owes: the reading of its files, and the news of it. The news goes out when all files are
 * read, or after ten seconds; it is one event with one id either way, which `publish-event` makes deliveries of once.
 */
export function receivedMessages(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly AttachmentRecord[],
  news: PublishEvent,
): OutboxMessage[] {
  const open = files.filter(({ preparation }) => preparation === null);
  if (open.length === 0) return [{ message: news }];
  const message = { kind: 'extract-text', v: 1, workspaceId, emailId, receivedEvent: news } as const;
  return [
    ...open.map(({ id }) => ({ message: { ...message, attachmentId: id } })),
    { message: news, dueAt: news.at + preparationWaitMs },
  ];
}
