/** Files of emails: where their bytes and their prepared texts lie, and what preparing them came to. */
import { type ObjectRef, putObject } from '../adapters/objects.ts';
import type { StoredAttachment } from '../core/email.ts';
import type { AttachmentId, EmailId, WorkspaceId } from '../core/ids.ts';
import type { ExtractedText, TextExtraction, TextFormat } from '../core/text-extraction.ts';
import { attachmentObject } from './email-content.ts';
import * as keys from './keys.ts';
import { get, type Item, present, put, queryAll, update } from './table.ts';

export interface AttachmentRecord extends StoredAttachment {
  /** null: not prepared yet, or (on outbound mail) never. */
  readonly preparation: TextExtraction | null;
}

/** Where the prepared text of a file lies, once there is one. */
export function extractedTextObject(workspaceId: WorkspaceId, emailId: EmailId, id: AttachmentId): ObjectRef {
  const { bucket, key } = attachmentObject(workspaceId, emailId, id);
  return { bucket, key: `${key}.text` };
}

export const textMediaTypes: Readonly<Record<TextFormat, string>> = {
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

/** Files are recorded so many at a time: a hostile message has thousands. */
const recordsAtOnce = 25;

/**
 * Records the files of an email ahead of its transaction, which takes a hundred writes at most. Where that fails, what
 * was recorded is garbage that nothing refers to.
 */
export async function recordAttachments(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly AttachmentRecord[],
): Promise<void> {
  for (let at = 0; at < files.length; at += recordsAtOnce) {
    await Promise.all(
      files.slice(at, at + recordsAtOnce).flatMap(({ id, preparation, ...file }) => [
        put({
          ...keys.attachmentKey(workspaceId, emailId, id),
          ...file,
          ...(preparation && { preparation }),
        }),
        put({ ...keys.attachmentOwnerKey(workspaceId, id), emailId }),
      ]),
    );
  }
}

export function attachmentRecord(item: Item): AttachmentRecord {
  return {
    id: item.sk.slice(keys.attachmentPrefix.length) as AttachmentId,
    filename: item.filename as string,
    contentType: item.contentType as string,
    size: item.size as number,
    cid: (item.cid as string | null | undefined) ?? null,
    preparation: (item.preparation as TextExtraction | undefined) ?? null,
  };
}

/** A file of an email of the workspace, or null. */
export async function findAttachmentOf(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  id: AttachmentId,
): Promise<AttachmentRecord | null> {
  const item = await get(keys.attachmentKey(workspaceId, emailId, id));
  return item && attachmentRecord(item);
}

/** A file of the workspace with the email it belongs to, or null. */
export async function findAttachment(
  workspaceId: WorkspaceId,
  id: AttachmentId,
): Promise<{ readonly emailId: EmailId; readonly file: AttachmentRecord } | null> {
  const owner = await get(keys.attachmentOwnerKey(workspaceId, id));
  if (!owner) return null;
  const emailId = owner.emailId as EmailId;
  const file = await findAttachmentOf(workspaceId, emailId, id);
  return file && { emailId, file };
}

/** The files of an email, in the order of their ids. */
export async function listAttachments(
  workspaceId: WorkspaceId,
  emailId: EmailId,
): Promise<AttachmentRecord[]> {
  const items = await queryAll(keys.emailParts(workspaceId, emailId), keys.attachmentPrefix);
  return items.map(attachmentRecord);
}

/** Stores what preparing a file came to: the text first, so that who hears of it finds it. */
export async function storeExtraction(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  id: AttachmentId,
  { text, ...preparation }: ExtractedText,
): Promise<void> {
  if (text !== null && preparation.format) {
    const type = textMediaTypes[preparation.format];
    await putObject(extractedTextObject(workspaceId, emailId, id), Buffer.from(text), type);
  }
  await update(keys.attachmentKey(workspaceId, emailId, id), {
    UpdateExpression: 'SET preparation = :preparation',
    ...present,
    ExpressionAttributeValues: { ':preparation': preparation },
  });
}
