/** Uploads: a place for a file, and the link that puts it there (contract, section 2, `POST /attachments`). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { presignObject } from '../../adapters/objects.ts';
import type { Upload } from '../../core/attachment.ts';
import type { StoredAttachment } from '../../core/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { recordUpload, uploadObject } from '../../storage/uploads.ts';

export interface PendingUpload {
  readonly upload: Upload;
  /** Takes a PUT of the file for `limits.linkSeconds`, without a key. */
  readonly url: string;
  /** Headers of that PUT. They are signed, so that nothing but a file of this type and size is taken. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Announces a file. What is stored are its bytes as they come; sends name it by its id for a day. */
export async function openUpload(
  workspaceId: WorkspaceId,
  file: Omit<StoredAttachment, 'id'>,
): Promise<PendingUpload> {
  // Whole seconds, as the table keeps them.
  const expiresAt = (Math.floor(now() / 1000) + limits.uploadSeconds) * 1000;
  const upload = { ...file, id: newId('att'), expiresAt };
  const headers = { 'Content-Type': file.contentType, 'Content-Length': String(file.size) };
  const [url] = await Promise.all([
    presignObject('PUT', uploadObject(workspaceId, upload.id), { seconds: limits.linkSeconds, headers }),
    recordUpload(workspaceId, upload),
  ]);
  return { upload, url, headers };
}
