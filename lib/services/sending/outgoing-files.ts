/** Files of an outgoing email: found, checked by size, and copied to the email (docs/concepts/attachments.md). */
import { newId } from '../../adapters/ids.ts';
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { copyObject, objectSize, putObject } from '../../adapters/objects.ts';
import type {
  AttachmentReference,
  InlineAttachment,
  RequestedAttachment,
} from '../../core/attachments/requested-attachment.ts';
import type { StoredAttachment } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { Problem } from '../../core/problems.ts';
import { sniffMediaType } from '../../mail/files/media-type.ts';
import { findAttachment, recordAttachments } from '../../storage/emails/attachments.ts';
import { attachmentObject } from '../../storage/emails/email-content.ts';
import { findUpload, uploadObject } from '../../storage/emails/uploads.ts';

/** A file of another email of the workspace. */
export interface CarriedAttachment {
  readonly emailId: EmailId;
  readonly file: StoredAttachment;
}

/** A file of an outgoing email that is not stored with it yet. */
export interface OutgoingFile {
  readonly file: Omit<StoredAttachment, 'id'>;
  readonly source:
    | { readonly kind: 'request'; readonly bytes: Buffer }
    | { readonly kind: 'upload' | 'email'; readonly ref: ObjectRef };
}

/**
 * Finds the files of a message in the order given, then those carried from other emails. Stores nothing.
 *
 * @throws Problem not_found (unknown attachment), attachments_too_large, invalid_request (missing upload)
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
    throw new Problem('not_found', 'An attachment does not exist or has expired.', {
      issues: pathsOf(given, (file) => file === null).map((path) => ({ path, message: 'does not exist' })),
    });
  }
  const files = [...found, ...message.carried.map((carried) => ofEmail(workspaceId, carried))];
  checkCount(files.length);
  checkSizes(files);
  const uploaded = await Promise.all(found.map(isUploaded));
  const issues = pathsOf(uploaded, (done) => !done).map((path) => ({
    path,
    message: 'has not been uploaded; PUT the file to its upload_url first',
  }));
  if (issues.length > 0)
    throw new Problem('invalid_request', 'An attachment is not uploaded yet.', { issues });
  return files;
}

/** Paths of the issues about entries that `isInvalid` matches. */
function pathsOf<T>(list: readonly T[], isInvalid: (entry: T) => boolean): string[] {
  return list.flatMap((entry, at) => (isInvalid(entry) ? [`attachments.${at}.attachment_id`] : []));
}

function ofRequest({ filename, content, cid, disposition, ...named }: InlineAttachment): OutgoingFile {
  const contentType = named.contentType ?? sniffMediaType(filename, content);
  const size = content.length;
  const file = { filename, contentType, size, cid, ...(disposition && { disposition }) };
  return { file, source: { kind: 'request', bytes: content } };
}

function ofEmail(workspaceId: WorkspaceId, { emailId, file }: CarriedAttachment): OutgoingFile {
  const { id, filename, contentType, size, cid } = file;
  const ref = attachmentObject(workspaceId, emailId, id);
  return { file: { filename, contentType, size, cid }, source: { kind: 'email', ref } };
}

/** An upload, or a file of an email: both have ids of attachments. */
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

/** The schema bounds the files of the request; a forward adds those of the thread. */
function checkCount(count: number): void {
  const max = limits.attachmentsPerMessage;
  if (count <= max) return;
  throw new Problem(
    'invalid_request',
    `The email would have ${count} attachments; at most ${max} are allowed. Forward the thread without its attachments ` +
      '(`include_attachments: false`) and name the files to send in `attachments`.',
    {
      issues: [
        { path: 'include_attachments', message: `adds up to ${count} files; at most ${max} are allowed` },
      ],
    },
  );
}

function checkSizes(files: readonly OutgoingFile[]): void {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes <= limits.attachmentBytes) return;
  throw new Problem(
    'attachments_too_large',
    `The attachments have ${bytes} bytes in all; the maximum is ${limits.attachmentBytes}.`,
  );
}

/** The signed URL accepts a file of the announced size only; the size is checked again. */
async function isUploaded({ file, source }: OutgoingFile): Promise<boolean> {
  return source.kind !== 'upload' || (await objectSize(source.ref)) === file.size;
}

/**
 * Stores copies of the files for an email, with their records. Uploads stay, so that a repeated request or another email
 * can name them. The sender has the files: no text is extracted.
 */
export async function storeAttachments(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly OutgoingFile[],
): Promise<StoredAttachment[]> {
  const attachments = await Promise.all(
    files.map(async ({ file, source }) => {
      const stored = { ...file, id: newId('att') };
      const target = attachmentObject(workspaceId, emailId, stored.id);
      if (source.kind === 'request') await putObject(target, source.bytes, file.contentType);
      else await copyObject(source.ref, target);
      return stored;
    }),
  );
  await recordAttachments(
    workspaceId,
    emailId,
    attachments.map((file) => ({ ...file, extraction: null })),
  );
  return attachments;
}
