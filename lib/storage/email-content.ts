/** The content of an email: in the table up to 4 KB, beyond that in the bucket, under the workspace's prefix. */
import { getObject, putObject } from '../adapters/objects.ts';
import type { EmailContent } from '../core/email.ts';
import type { AttachmentId, EmailId, WorkspaceId } from '../core/ids.ts';
import { env } from '../env.ts';
import { contentKey } from './keys.ts';
import type { Item, Write } from './table.ts';

/** Above this many bytes of JSON, content goes to the bucket: an item's write cost grows with each KB. */
export const inlineBytesMax = 4096;

const objectKey = (workspaceId: WorkspaceId, id: EmailId): string => `w/${workspaceId}/e/${id}/content.json`;

/**
 * Stores content ahead of its email's transaction, and returns the writes that belong into it (none where the
 * bucket took it). An object whose transaction then fails is garbage that nothing refers to.
 */
export async function storeContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  content: EmailContent,
): Promise<Write[]> {
  const json = JSON.stringify(content);
  if (Buffer.byteLength(json) <= inlineBytesMax) {
    return [{ as: 'content', put: { ...contentKey(workspaceId, id), json } }];
  }
  const ref = { bucket: env().CONTENT_BUCKET, key: objectKey(workspaceId, id) };
  await putObject(ref, Buffer.from(json), 'application/json');
  return [];
}

/**
 * The content of an email that exists.
 *
 * @param item its CONTENT item, where it has one
 */
export async function loadContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  item: Item | null,
): Promise<EmailContent> {
  if (item) return JSON.parse(String(item.json)) as EmailContent;
  const bytes = await getObject({ bucket: env().CONTENT_BUCKET, key: objectKey(workspaceId, id) });
  return JSON.parse(bytes.toString()) as EmailContent;
}

/** Where the bytes of an attachment lie. */
export function attachmentObject(workspaceId: WorkspaceId, emailId: EmailId, id: AttachmentId) {
  return { bucket: env().CONTENT_BUCKET, key: `w/${workspaceId}/e/${emailId}/a/${id}` };
}
