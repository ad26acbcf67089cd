/** Uploads: signed URLs that accept one file each (docs/concepts/attachments.md#uploads). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { presignObject } from '../../adapters/objects.ts';
import type { Upload } from '../../core/attachments/attachment.ts';
import type { StoredAttachment } from '../../core/emails/email.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { recordUpload, uploadObject } from '../../storage/emails/uploads.ts';

export interface PendingUpload {
  readonly upload: Upload;
  /** Accepts a PUT of the file for `limits.linkSeconds`, without an API key. */
  readonly url: string;
  /** Headers of that PUT. They are signed, so that S3 accepts a file of this type and size only. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates an upload. Sends can name it for `limits.uploadSeconds`. */
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
