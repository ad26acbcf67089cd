/** Content of emails: in the table up to 4 KB, above that in the content bucket (docs/decisions/0021-content-in-the-bucket.md). */
import { findObject, getObject, type ObjectRef, putObject } from '../adapters/objects.ts';
import type { EmailContent } from '../core/email.ts';
import type { AttachmentId, EmailId, WorkspaceId } from '../core/ids.ts';
import { env } from '../env.ts';
import { codec, text } from './codec.ts';
import { contentKey } from './keys.ts';
import type { Write } from './transactions.ts';

/** Bytes of JSON above which content goes to the bucket: each KB of an item costs a write unit. */
export const inlineBytesMax = 4096;

/** Content is read and written whole, so it is one JSON string in the item as in the object. */
export const contentCodec = codec<{ readonly json: string }>('email content', { json: text });

/** The beginning of the keys of all objects of a workspace's emails. */
export const contentPrefix = (workspaceId: WorkspaceId): ObjectRef => ({
  bucket: env().CONTENT_BUCKET,
  key: `w/${workspaceId}/`,
});

/** The object of content that is not in the table. */
export const contentObject = (workspaceId: WorkspaceId, id: EmailId): ObjectRef => ({
  bucket: env().CONTENT_BUCKET,
  key: `w/${workspaceId}/e/${id}/content.json`,
});

/**
 * Stores content ahead of its email's transaction, and returns the writes that belong into the transaction: none where
 * the bucket holds it. If the transaction fails, the object stays behind unreferenced.
 */
export async function storeContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  content: EmailContent,
): Promise<Write[]> {
  const json = JSON.stringify(content);
  if (Buffer.byteLength(json) <= inlineBytesMax) {
    return [{ as: 'content', put: { ...contentKey(workspaceId, id), ...contentCodec.encode({ json }) } }];
  }
  await putObject(contentObject(workspaceId, id), Buffer.from(json), 'application/json');
  return [];
}

/** The content of an email that exists. @param json its content item's JSON; null where the bucket holds it */
export async function loadContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  json: string | null,
): Promise<EmailContent> {
  const stored = json ?? (await getObject(contentObject(workspaceId, id))).toString();
  // Written by `storeContent` alone; a schema for content of megabytes would double the time of each read.
  return JSON.parse(stored) as EmailContent;
}

/** As `loadContent`; null where the bucket has no content of the email. */
export async function findContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  json: string | null,
): Promise<EmailContent | null> {
  const stored = json ?? (await findObject(contentObject(workspaceId, id)))?.toString();
  return stored === undefined ? null : (JSON.parse(stored) as EmailContent);
}

/** The object of a message of a mailbox as it was received. Mail that SES receives is in the raw-mail buckets. */
export function rawMessageObject(
  workspaceId: WorkspaceId,
  id: EmailId,
): ObjectRef & { readonly region: string } {
  return { bucket: env().CONTENT_BUCKET, key: `w/${workspaceId}/e/${id}/raw.eml`, region: env().HOME_REGION };
}

/** The object of an attachment. */
export function attachmentObject(workspaceId: WorkspaceId, emailId: EmailId, id: AttachmentId): ObjectRef {
  return { bucket: env().CONTENT_BUCKET, key: `w/${workspaceId}/e/${emailId}/a/${id}` };
}
