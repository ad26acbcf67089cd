/** Uploads that wait for their email: what they were announced as, and where their bytes lie. */
import { now } from '../adapters/clock.ts';
import type { ObjectRef } from '../adapters/objects.ts';
import type { AttachmentId, WorkspaceId } from '../core/ids.ts';
import { type Upload, uploadPrefix } from '../core/upload.ts';
import { env } from '../env.ts';
import { uploadKey } from './keys.ts';
import { get, put } from './table.ts';

export async function recordUpload(workspaceId: WorkspaceId, upload: Upload): Promise<void> {
  const { id, expiresAt, ...file } = upload;
  await put({ ...uploadKey(workspaceId, id), ...file, expiresAt: Math.floor(expiresAt / 1000) });
}

/** An upload of the workspace, or null where there is none or it has expired. */
export async function findUpload(workspaceId: WorkspaceId, id: AttachmentId): Promise<Upload | null> {
  const item = await get(uploadKey(workspaceId, id));
  if (!item) return null;
  const expiresAt = Number(item.expiresAt) * 1000;
  // The table deletes what has expired days later.
  if (now() >= expiresAt) return null;
  return {
    id,
    filename: item.filename as string,
    contentType: item.contentType as string,
    size: item.size as number,
    cid: (item.cid as string | null | undefined) ?? null,
    expiresAt,
  };
}

/** Where the bytes of an upload lie. */
export function uploadObject(workspaceId: WorkspaceId, id: AttachmentId): ObjectRef {
  return { bucket: env().CONTENT_BUCKET, key: `${uploadPrefix}${workspaceId}/${id}` };
}
