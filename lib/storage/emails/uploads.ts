/** Uploads: files announced ahead of their email (docs/concepts/attachments.md#uploads). */
import { now } from '../../adapters/clock.ts';
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { type Upload, uploadPrefix } from '../../core/attachments/attachment.ts';
import type { AttachmentId, WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { codec, id, secondsAsMs, sortKey } from '../table/codec.ts';
import { uploadKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { put } from '../table/table.ts';
import { fileFields } from './attachments.ts';

const uploadCodec = codec<Upload>('upload', {
  id: sortKey(id('att')),
  ...fileFields,
  expiresAt: secondsAsMs,
});

/** Stores the record of an upload. */
export async function recordUpload(workspaceId: WorkspaceId, upload: Upload): Promise<void> {
  await put({ ...uploadKey(workspaceId, upload.id), ...uploadCodec.encode(upload) });
}

/** An upload of the workspace; null where there is none or it has expired. */
export async function findUpload(workspaceId: WorkspaceId, id: AttachmentId): Promise<Upload | null> {
  const item = await get(uploadKey(workspaceId, id));
  if (!item) return null;
  const upload = uploadCodec.decode(item);
  // TTL deletes expired items within days ("Using time to live (TTL)" in the DynamoDB guide).
  return now() < upload.expiresAt ? upload : null;
}

/** The beginning of the keys of all uploads of a workspace. */
export function uploadsPrefix(workspaceId: WorkspaceId): ObjectRef {
  return { bucket: env().CONTENT_BUCKET, key: `${uploadPrefix}${workspaceId}/` };
}

/** The object of an upload. */
export function uploadObject(workspaceId: WorkspaceId, id: AttachmentId): ObjectRef {
  return { bucket: env().CONTENT_BUCKET, key: `${uploadPrefix}${workspaceId}/${id}` };
}
