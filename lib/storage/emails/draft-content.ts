/** Content of drafts, which edits replace. Loaded apart: readers of emails have no need of it. */
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { deleteObject, putObject } from '../../adapters/objects.ts';
import { secureBytes } from '../../adapters/random.ts';
import type { EmailContent, StoredAttachment } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { allDone } from '../../core/work/all-done.ts';
import * as keys from '../table/keys.ts';
import { type Item, put, removeAll } from '../table/table.ts';
import {
  attachmentObject,
  type ContentWrite,
  encodeContent,
  inlineContent,
  replacedObject,
  writeOf,
} from './email-content.ts';

/**
 * The write that stores content of a draft in its transaction. The item names the object, so that the transaction decides which content
 * the email has. Teardown finds the objects of others.
 */
export async function replaceableContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  content: EmailContent,
): Promise<ContentWrite> {
  const json = encodeContent(content);
  const inline = inlineContent(json);
  if (inline) return writeOf(workspaceId, id, inline);
  const name = secureBytes(8).toString('hex');
  await put({ ...keys.contentObjectKey(workspaceId, id, name) });
  await putObject(replacedObject(workspaceId, id, name), json, 'application/json');
  return writeOf(workspaceId, id, { json: null, brotli: null, object: name });
}

/** The objects that content of an email was written to when it might be replaced, by the parts of the email. */
export function replacedObjects(workspaceId: WorkspaceId, id: EmailId, parts: readonly Item[]): ObjectRef[] {
  return parts.flatMap(({ sk }) =>
    sk.startsWith(keys.contentObjectPrefix)
      ? [replacedObject(workspaceId, id, sk.slice(keys.contentObjectPrefix.length))]
      : [],
  );
}

/** Removes files that a draft does not have any more, the records last. */
export async function removeAttachments(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  files: readonly Pick<StoredAttachment, 'id'>[],
): Promise<void> {
  await allDone(files.map(({ id }) => deleteObject(attachmentObject(workspaceId, emailId, id))));
  await removeAll(
    files.flatMap(({ id }) => [
      keys.attachmentOwnerKey(workspaceId, id),
      keys.attachmentKey(workspaceId, emailId, id),
    ]),
  );
}
