/**
 * Removal of an email with everything that is stored for it (docs/decisions/0047-teardown-of-spaces.md). What leads to a
 * part is removed after the part, and the head last: after a crash the email is found again, and so is what is left.
 */
import { deleteObject } from '../../adapters/objects.ts';
import type { AttachmentRecord } from '../../core/attachments/attachment.ts';
import type { EmailContent, EmailHead } from '../../core/emails/email.ts';
import { comparableId, ownEmailId } from '../../core/emails/message-ids.ts';
import { messageIdOfAccepted } from '../../core/emails/sent-entries.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { allDone } from '../../core/work/all-done.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { candidateIds } from '../../mail/threading/cited-ids.ts';
import { attachmentCodec, extractedTextObject } from '../emails/attachments.ts';
import { chunkCodec } from '../emails/chunks.ts';
import { replacedObjects } from '../emails/draft-content.ts';
import { attachmentObject, contentObject, findContent, rawMessageObject } from '../emails/email-content.ts';
import { headCodec } from '../emails/email-heads.ts';
import { furtherIdCodec } from '../emails/message-ids.ts';
import { scheduleIndexKey } from '../emails/schedule-index.ts';
import { keysOfProviderRef } from '../mailboxes/provider-messages.ts';
import { heldKeys } from '../pacing/held-emails.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { getMany } from '../table/reads.ts';
import { type Item, queryAll, removeAll } from '../table/table.ts';

/** A page of the emails of a space, also of a deleted one, or of the workspace; oldest first. */
export async function listEmailsToRemove(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  paging: Paging,
): Promise<Page<EmailHead>> {
  const of =
    scope === 'workspace'
      ? { pk: keys.emails(workspaceId) }
      : { pk: keys.emailsOfSpace(workspaceId, scope), index: 'GSI1' as const };
  const page = await listPage({ ...of, order: 'oldest first', ...paging });
  return { items: page.items.map(headCodec.decode), next: page.next };
}

/** Removes an email. Idempotent. Nobody may write to the email any more. */
export async function removeEmail(workspaceId: WorkspaceId, head: EmailHead): Promise<void> {
  const { id, threadId } = head;
  const parts = await queryAll(keys.emailParts(workspaceId, id));
  const startingWith = (prefix: string) => parts.filter(({ sk }) => sk.startsWith(prefix));
  const [inline] = startingWith(keys.contentKey(workspaceId, id).sk);
  const content = await findContent(workspaceId, id, inline ?? null);
  const files = startingWith(keys.attachmentPrefix).map(attachmentCodec.decode);
  const messageIds = [
    head.messageId,
    ...startingWith(keys.furtherIdPrefix).map((item) => furtherIdCodec.decode(item).messageId),
    ...startingWith(keys.chunkPrefix).flatMap(wireIdOf),
  ];
  await allDone([
    removeFiles(workspaceId, head, files),
    removeIndexEntries(workspaceId, head, content, messageIds),
    ...(content?.raw && !content.arrival?.isShared ? [deleteObject(content.raw)] : []),
  ]);
  await removeAll(
    startingWith(keys.providerRefPrefix).flatMap((item) => keysOfProviderRef(workspaceId, head, item)),
  );
  // Names of index entries are in it.
  await removeContentObjects(workspaceId, id, parts);
  await removeAll(await queryAll(keys.engagements(workspaceId, id)));
  await removeAll(parts);
  await removeAll([keys.emailOfThreadKey(workspaceId, threadId, id)]);
  await removeAll([keys.emailKey(workspaceId, id)]);
}

function wireIdOf(item: Item): string[] {
  const messageId = messageIdOfAccepted(chunkCodec.decode(item));
  return messageId === null ? [] : [messageId];
}

/** Removes what is stored for an email that was never committed, also a raw message of its own. Idempotent. */
export async function removeUncommittedParts(
  workspaceId: WorkspaceId,
  { id }: Pick<EmailHead, 'id'>,
): Promise<void> {
  await deleteObject(rawMessageObject(workspaceId, id));
  await removeParts(workspaceId, { id });
}

/**
 * Removes what is stored for an email or draft beside its head and a raw message: content, files and other parts. Idempotent.
 * What leads to a part is removed after the part.
 */
export async function removeParts(workspaceId: WorkspaceId, { id }: Pick<EmailHead, 'id'>): Promise<void> {
  const parts = await queryAll(keys.emailParts(workspaceId, id));
  const files = parts.filter(({ sk }) => sk.startsWith(keys.attachmentPrefix)).map(attachmentCodec.decode);
  await removeFiles(workspaceId, { id }, files);
  await removeContentObjects(workspaceId, id, parts);
  await removeAll(parts);
}

/** What the bucket may hold of the content of an email. */
async function removeContentObjects(
  workspaceId: WorkspaceId,
  id: EmailHead['id'],
  parts: readonly Item[],
): Promise<void> {
  const isInline = parts.some(({ sk }) => sk === keys.contentKey(workspaceId, id).sk);
  const replaced = replacedObjects(workspaceId, id, parts);
  if (!isInline || replaced.length > 0) await deleteObject(contentObject(workspaceId, id));
  for (const object of replaced) await deleteObject(object);
}

/** Files removed at once. */
const filesAtOnce = 10;

/** Removes the files of an email or draft, with their texts. */
export async function removeFiles(
  workspaceId: WorkspaceId,
  { id }: Pick<EmailHead, 'id'>,
  files: readonly AttachmentRecord[],
): Promise<void> {
  for (let start = 0; start < files.length; start += filesAtOnce) {
    await allDone(
      files.slice(start, start + filesAtOnce).map(async (file) => {
        await deleteObject(attachmentObject(workspaceId, id, file.id));
        // A worker that dies after it has stored a text leaves no record of it.
        const mayHaveText = file.extraction === null || file.extraction.format !== null;
        if (mayHaveText) await deleteObject(extractedTextObject(workspaceId, id, file.id));
      }),
    );
  }
  await removeAll(files.map((file) => keys.attachmentOwnerKey(workspaceId, file.id)));
}

async function removeIndexEntries(
  workspaceId: WorkspaceId,
  head: EmailHead,
  content: EmailContent | null,
  messageIds: readonly string[],
): Promise<void> {
  const { id, spaceId, idempotencyKey, scheduledAt, status } = head;
  const fingerprint = content?.arrival?.fingerprint;
  await removeAll([
    ...(idempotencyKey === null ? [] : [keys.idempotencyKey(workspaceId, spaceId, idempotencyKey)]),
    ...(scheduledAt === null ? [] : [scheduleIndexKey(workspaceId, id, scheduledAt)]),
    ...(status === 'queued' ? heldKeys(workspaceId, head) : []),
    ...(fingerprint === undefined ? [] : [keys.receivedKey(workspaceId, spaceId, fingerprint)]),
  ]);
  const cited = status === 'received' || content?.arrival ? citedIds(head, content) : [];
  const indexed = [...messageIds, ...cited].filter((messageId) => !ownEmailId(messageId)).map(comparableId);
  const entries = [...new Set(indexed)].map((messageId) =>
    keys.messageIdKey(workspaceId, spaceId, messageId),
  );
  // A read costs less than the deletion of a missing item.
  await removeAll((await getMany(entries)).filter((item) => item !== null));
}

/** The Message-IDs for which a thread may wait because of this message. */
function citedIds({ inReplyTo }: EmailHead, content: EmailContent | null): string[] {
  const answered = content?.arrival?.inReplyTo ?? (inReplyTo === null ? [] : [inReplyTo]);
  return candidateIds({ inReplyTo: answered, references: content?.references ?? [] });
}
