/** Attachments, with the upload of a file. */
import { type FileAttachment, loadAttachment, type PathAttachment } from './files.ts';
import type { RequestOptions } from './options.ts';
import { AttachmentsOperations } from './resources/attachments.ts';
import type { AttachmentReference } from './types.ts';

export class Attachments extends AttachmentsOperations {
  /**
   * Uploads a file once, for one or several emails within 24 hours. Sends upload large files themselves; do it here where your
   * program repeats a send by an `idempotencyKey` of its own, since each upload makes another body.
   *
   * @returns an attachment of a send, reply or forward
   */
  async upload(
    file: FileAttachment | PathAttachment | Blob,
    options?: RequestOptions,
  ): Promise<AttachmentReference> {
    return await this.api.upload(await loadAttachment(file), options);
  }
}
