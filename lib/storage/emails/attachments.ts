/** Attachments of emails: their records, their objects in the content bucket, and the outcome of text extraction. */
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { putObject } from '../../adapters/objects.ts';
import { type AttachmentRecord, textMediaTypes } from '../../core/attachments/attachment.ts';
import { dispositions, type StoredAttachment } from '../../core/emails/email.ts';
import type { AttachmentId, EmailId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import {
  type ExtractedText,
  extractionStatuses,
  type TextExtraction,
  textFormats,
} from '../../mail/files/extracted-text.ts';
import {
  codec,
  type Fields,
  id,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  sortKey,
  text,
} from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get, getMany } from '../table/reads.ts';
import { putMany, queryAll, removeAll, update } from '../table/table.ts';
import { findDeletedSpaces, isDeleted } from '../workspaces/deleted-spaces.ts';
import { attachmentObject } from './email-content.ts';

const extractionField = object<TextExtraction>({
  status: oneOf(extractionStatuses),
  format: nullable(oneOf(textFormats)),
  pages: nullable(number),
  warnings: list(text),
});

export const fileFields: Omit<Fields<StoredAttachment>, 'id'> = {
  filename: text,
  contentType: text,
  size: number,
  cid: nullable(text),
  disposition: optional(oneOf(dispositions)),
};

export const attachmentCodec = codec<AttachmentRecord>('attachment', {
  id: sortKey(id('att'), keys.attachmentPrefix),
  ...fileFields,
  extraction: nullable(extractionField),
  charset: optional(text),
});

const ownerCodec = codec<{ readonly id: AttachmentId; readonly emailId: EmailId }>('attachment owner', {
  id: sortKey(id('att')),
  emailId: id('eml'),
});

/** The object of an attachment's extracted text. */
export function extractedTextObject(workspaceId: WorkspaceId, emailId: EmailId, id: AttachmentId): ObjectRef {
  const { bucket, key } = attachmentObject(workspaceId, emailId, id);
  return { bucket, key: `${key}.text` };
}

/**
 * Records the files of an email ahead of its transaction, which takes at most 100 writes
 * (docs/decisions/0022-files-before-the-transaction.md).
 */
export async function recordAttachments(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly AttachmentRecord[],
): Promise<void> {
  await putMany(
    files.flatMap((file) => [
      { ...keys.attachmentKey(workspaceId, emailId, file.id), ...attachmentCodec.encode(file) },
      {
        ...keys.attachmentOwnerKey(workspaceId, file.id),
        ...ownerCodec.encode({ id: file.id, emailId }),
      },
    ]),
  );
}

/** An attachment of an email of the workspace, or null. */
export async function findAttachmentOf(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  id: AttachmentId,
): Promise<AttachmentRecord | null> {
  const item = await get(keys.attachmentKey(workspaceId, emailId, id));
  return item && attachmentCodec.decode(item);
}

/** An attachment of the workspace with the id of its email, or null. */
export async function findAttachment(
  workspaceId: WorkspaceId,
  id: AttachmentId,
): Promise<{ readonly emailId: EmailId; readonly file: AttachmentRecord } | null> {
  const [owner, deleted] = await Promise.all([
    get(keys.attachmentOwnerKey(workspaceId, id)),
    findDeletedSpaces(workspaceId),
  ]);
  if (!owner) return null;
  const { emailId } = ownerCodec.decode(owner);
  const [file, email, draft] = await getMany([
    keys.attachmentKey(workspaceId, emailId, id),
    keys.emailKey(workspaceId, emailId),
    keys.draftKey(workspaceId, emailId),
  ]);
  const head = email ?? draft;
  // The email was deleted, or not committed.
  if (!file || !head || isDeleted(deleted, spaceCodec.decode(head).spaceId)) return null;
  return { emailId, file: attachmentCodec.decode(file) };
}

/**
 * Removes records of files whose email was never accepted (docs/decisions/0022-files-before-the-transaction.md): all that a
 * workspace has when its emails are removed. Returns the number of records found, up to `limit`.
 */
export async function removeOrphans(workspaceId: WorkspaceId, limit: number): Promise<number> {
  const pk = keys.attachmentOwners(workspaceId);
  const { items } = await listPage({ pk, order: 'oldest first', limit, after: null });
  const records = items.map((item) => {
    const { id: fileId, emailId } = ownerCodec.decode(item);
    return keys.attachmentKey(workspaceId, emailId, fileId);
  });
  await removeAll(records);
  await removeAll(items);
  return items.length;
}

const spaceCodec = codec<{ readonly spaceId: SpaceId | null }>('email', { spaceId: nullable(id('spc')) });

/** The attachments of an email, by id. */
export async function listAttachments(
  workspaceId: WorkspaceId,
  emailId: EmailId,
): Promise<AttachmentRecord[]> {
  const items = await queryAll(keys.emailParts(workspaceId, emailId), keys.attachmentPrefix);
  return items.map(attachmentCodec.decode);
}

/** Stores the outcome of text extraction: the text first, so that the record never names a missing object. */
export async function storeExtraction(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  id: AttachmentId,
  { text: extracted, ...extraction }: ExtractedText,
): Promise<void> {
  if (extracted !== null && extraction.format) {
    const object = extractedTextObject(workspaceId, emailId, id);
    await putObject(object, Buffer.from(extracted), textMediaTypes[extraction.format]);
  }
  await update(
    keys.attachmentKey(workspaceId, emailId, id),
    expressionsOf({ set: { extraction: extractionField.write(extraction) } }, { exists: true }),
  );
}
