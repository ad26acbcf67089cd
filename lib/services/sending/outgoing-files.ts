/** The files of a message that a program sends: found, counted, and put where the email will look for them. */
import { newId } from '../../adapters/ids.ts';
import { copyObject, type ObjectRef, objectSize, putObject } from '../../adapters/objects.ts';
import type { StoredAttachment } from '../../core/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { AttachmentReference, InlineAttachment, RequestedAttachment } from '../../core/mail/outgoing.ts';
import { Problem } from '../../core/problems.ts';
import { findAttachment } from '../../storage/attachments.ts';
import { attachmentObject } from '../../storage/email-content.ts';
import { findUpload, uploadObject } from '../../storage/uploads.ts';
import { sniffMediaType } from '../../text-extraction/media-type.ts';

/** A file that lies with another email of the workspace. */
export interface CarriedAttachment {
  readonly emailId: EmailId;
  readonly file: StoredAttachment;
}

/** A file of a message, not yet with it. */
export interface OutgoingFile {
  readonly file: Omit<StoredAttachment, 'id'>;
  readonly source:
    | { readonly kind: 'request'; readonly bytes: Buffer }
    | { readonly kind: 'upload' | 'email'; readonly ref: ObjectRef };
}

/**
 * Finds every file of a message, in the order given, those it carries from other emails last. Stores nothing.
 *
 * @throws Problem not_found (a reference to nothing), attachments_too_large, invalid_request (an upload whose bytes
 *   have not come)
 */
export async function gatherFiles(
  workspaceId: WorkspaceId,
  message: {
    readonly attachments: readonly RequestedAttachment[];
    readonly carried: readonly CarriedAttachment[];
  },
): Promise<OutgoingFile[]> {
  const { attachments } = message;
  const given = await Promise.all(
    attachments.map((attachment) =>
      'content' in attachment ? ofRequest(attachment) : findNamed(workspaceId, attachment),
    ),
  );
  const found = given.filter((file) => file !== null);
  if (found.length < given.length) {
    throw new Problem('not_found', 'An attachment is not there, or has expired.', {
      issues: placesOf(given, (file) => file === null).map((path) => ({ path, message: 'is not there' })),
    });
  }
  const files = [...found, ...message.carried.map((carried) => ofEmail(workspaceId, carried))];
  checkSizes(files);
  const arrived = await Promise.all(found.map(hasArrived));
  const issues = placesOf(arrived, (isThere) => !isThere).map((path) => ({
    path,
    message: 'has not been uploaded; PUT the file to its upload_url first',
  }));
  if (issues.length > 0) throw new Problem('invalid_request', 'An attachment is not uploaded.', { issues });
  return files;
}

function placesOf<T>(list: readonly T[], isMeant: (entry: T) => boolean): string[] {
  return list.flatMap((entry, at) => (isMeant(entry) ? [`attachments.${at}.attachment_id`] : []));
}

function ofRequest({ filename, content, cid, ...named }: InlineAttachment): OutgoingFile {
  const contentType = named.contentType ?? sniffMediaType(filename, content);
  const file = { filename, contentType, size: content.length, cid };
  return { file, source: { kind: 'request', bytes: content } };
}

function ofEmail(workspaceId: WorkspaceId, { emailId, file }: CarriedAttachment): OutgoingFile {
  const { id, filename, contentType, size, cid } = file;
  const ref = attachmentObject(workspaceId, emailId, id);
  return { file: { filename, contentType, size, cid }, source: { kind: 'email', ref } };
}

/** An upload, or a file of an email: their ids are of one kind. */
async function findNamed(
  workspaceId: WorkspaceId,
  { attachmentId, cid }: AttachmentReference,
): Promise<OutgoingFile | null> {
  const upload = await findUpload(workspaceId, attachmentId);
  if (upload) {
    const { filename, contentType, size } = upload;
    const ref = uploadObject(workspaceId, attachmentId);
    return { file: { filename, contentType, size, cid: cid ?? upload.cid }, source: { kind: 'upload', ref } };
  }
  const found = await findAttachment(workspaceId, attachmentId);
  if (!found) return null;
  return ofEmail(workspaceId, { ...found, file: { ...found.file, cid: cid ?? found.file.cid } });
}

function checkSizes(files: readonly OutgoingFile[]): void {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes <= limits.attachmentBytes) return;
  throw new Problem(
    'attachments_too_large',
    `The attachments have ${bytes} bytes together; at most ${limits.attachmentBytes} are possible.`,
  );
}

/** The link takes a file of the announced size only; another one lies there where S3 did not keep to that. */
async function hasArrived({ file, source }: OutgoingFile): Promise<boolean> {
  return source.kind !== 'upload' || (await objectSize(source.ref)) === file.size;
}

/**
 * Gives an email its own copies. What lies in the bucket is copied there, so that an upload can be named again, by a
 * request that is repeated or by another email.
 */
export async function storeFiles(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly OutgoingFile[],
): Promise<StoredAttachment[]> {
  return await Promise.all(
    files.map(async ({ file, source }) => {
      const stored = { ...file, id: newId('att') };
      const target = attachmentObject(workspaceId, emailId, stored.id);
      if (source.kind === 'request') await putObject(target, source.bytes, file.contentType);
      else await copyObject(source.ref, target);
      return stored;
    }),
  );
}
