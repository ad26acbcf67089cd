/**
 * Removal of an email with everything that is stored for it (docs/decisions/0047-teardown-of-spaces.md). What leads to a
 * part is removed after the part, and the head last: after a crash the email is found again, and so is what is left.
 */
import { now } from '../../adapters/clock.ts';
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { deleteObject, listObjects } from '../../adapters/objects.ts';
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
import {
  attachmentObject,
  contentObject,
  emailPrefix,
  findContent,
  rawMessageObject,
} from '../emails/email-content.ts';
import { headCodec } from '../emails/email-heads.ts';
import { engagementsBeside } from '../emails/engagements.ts';
import { furtherIdCodec, messageIdCodec } from '../emails/message-ids.ts';
import { scheduleIndexKey } from '../emails/schedule-index.ts';
import {
  keyOfProviderMessage,
  keysOfProviderRef,
  removeReplacedConversations,
} from '../mailboxes/provider-messages.ts';
import { heldKeys } from '../pacing/held-emails.ts';
import { secondsAsMs } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { getMany } from '../table/reads.ts';
import { type Item, queryAll, removeAll, updateIf } from '../table/table.ts';

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
  await removeStored(workspaceId, head, removeWhatIsKnown, true);
  await removeAll([keys.emailKey(workspaceId, head.id)]);
}

/**
 * Removes what is stored for an email whose head is gone. That its message was here stays known for 30 days, so that a repeated
 * copy does not come back. Idempotent.
 *
 * @param isLast false: items that carry messages stay
 */
export async function removeDeletedEmail(
  workspaceId: WorkspaceId,
  head: EmailHead,
  isLast: boolean,
): Promise<void> {
  await removeStored(workspaceId, head, expireWhatIsKnown, isLast);
  await removeObjectsUnder(emailPrefix(workspaceId, head.id));
}

/** What is stored of an email or draft beside its head and its files: its content, and its other parts as they are stored. */
export interface StoredParts {
  readonly content: EmailContent | null;
  readonly parts: readonly Item[];
}

/** Consistent. */
export async function readParts(
  workspaceId: WorkspaceId,
  { id }: Pick<EmailHead, 'id'>,
): Promise<StoredParts> {
  const parts = await queryAll(keys.emailParts(workspaceId, id));
  const { sk } = keys.contentKey(workspaceId, id);
  const inline = parts.find((item) => item.sk === sk) ?? null;
  return { content: await findContent(workspaceId, id, inline), parts };
}

/** Objects removed at once. */
const objectsAtOnce = 100;

/** Removes also what a worker that was late, or died, has stored. */
async function removeObjectsUnder(prefix: ObjectRef): Promise<void> {
  for (;;) {
    const found = await listObjects(prefix, objectsAtOnce);
    await allDone(found.map(deleteObject));
    if (found.length < objectsAtOnce) return;
  }
}

/** What tells that a message is known: its Message-IDs, its claim as a received message, and its provider's messages. */
interface Known {
  readonly head: EmailHead;
  readonly content: EmailContent | null;
  readonly messageIds: readonly string[];
  readonly providerRefs: readonly Item[];
}

type EndKnown = (workspaceId: WorkspaceId, known: Known) => Promise<void>;

async function removeStored(
  workspaceId: WorkspaceId,
  head: EmailHead,
  endKnown: EndKnown,
  isLast: boolean,
): Promise<void> {
  const { id, threadId } = head;
  const { sk: countOfEngagements } = keys.engagementCountKey(workspaceId, id);
  const isRemoved = (item: Item) =>
    isLast || (item[keys.outboxAttribute] === undefined && item.sk !== countOfEngagements);
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
    removeIndexEntries(workspaceId, head),
    endKnown(workspaceId, {
      head,
      content,
      messageIds,
      providerRefs: startingWith(keys.providerRefPrefix),
    }),
    ...(content?.raw && !content.arrival?.isShared ? [deleteObject(content.raw)] : []),
  ]);
  // Names of index entries are in it.
  await removeContentObjects(workspaceId, id, parts);
  const engagements = await engagementsBeside(workspaceId, id, parts);
  await removeAll(engagements.filter(isRemoved));
  await removeAll(parts.filter(isRemoved));
  await removeAll([
    keys.emailOfThreadKey(workspaceId, threadId, id),
    keys.endedDraftKey(workspaceId, threadId, id),
  ]);
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

async function removeIndexEntries(workspaceId: WorkspaceId, head: EmailHead): Promise<void> {
  const { id, spaceId, idempotencyKey, scheduledAt, status } = head;
  await removeAll([
    ...(idempotencyKey === null ? [] : [keys.idempotencyKey(workspaceId, spaceId, idempotencyKey)]),
    ...(scheduledAt === null ? [] : [scheduleIndexKey(workspaceId, id, scheduledAt)]),
    ...(status === 'queued' ? heldKeys(workspaceId, head) : []),
  ]);
}

async function removeWhatIsKnown(
  workspaceId: WorkspaceId,
  { head, content, messageIds, providerRefs }: Known,
): Promise<void> {
  const { spaceId } = head;
  const fingerprint = content?.arrival?.fingerprint;
  await removeAll([
    ...(fingerprint === undefined ? [] : [keys.receivedKey(workspaceId, spaceId, fingerprint)]),
    ...providerRefs.flatMap((item) => keysOfProviderRef(workspaceId, head, item)),
  ]);
  // A read costs less than the deletion of a missing item.
  await removeAll(await indexItems(workspaceId, head, [...messageIds, ...citedBy(head, content)]));
}

/** The same entries, of a thread that may go on: those of the email expire, and the thread waits no longer for what it cites. */
async function expireWhatIsKnown(
  workspaceId: WorkspaceId,
  { head, content, messageIds, providerRefs }: Known,
): Promise<void> {
  const expiring = expressionsOf(
    { set: { expiresAt: secondsAsMs.write(now() + knownMs) } },
    { exists: true },
  );
  const fingerprint = content?.arrival?.fingerprint;
  const isOfEmail = ({ emailId }: { readonly emailId: string | null }) => emailId === head.id;
  const own = await indexItems(workspaceId, head, messageIds);
  const entries: keys.Key[] = [
    ...(fingerprint === undefined ? [] : [keys.receivedKey(workspaceId, head.spaceId, fingerprint)]),
    ...own.filter((item) => isOfEmail(messageIdCodec.decode(item))),
    ...providerRefs.map((item) => keyOfProviderMessage(workspaceId, item)),
  ];
  await allDone(entries.map(async ({ pk, sk }) => void (await updateIf({ pk, sk }, expiring))));
  await removeReplacedConversations(workspaceId, head, providerRefs);
  const cited = await indexItems(workspaceId, head, citedBy(head, content));
  await removeAll(
    cited.filter((item) => {
      const { emailId, waitingThread } = messageIdCodec.decode(item);
      return emailId === null && waitingThread === head.threadId;
    }),
  );
}

/** How long the Message-ID of a deleted email stays known. */
const knownMs = 30 * 24 * 3_600_000;

/** The items of Message-IDs in the index. */
async function indexItems(
  workspaceId: WorkspaceId,
  { spaceId }: EmailHead,
  messageIds: readonly string[],
): Promise<Item[]> {
  const indexed = messageIds.filter((messageId) => !ownEmailId(messageId)).map(comparableId);
  const entries = [...new Set(indexed)].map((messageId) =>
    keys.messageIdKey(workspaceId, spaceId, messageId),
  );
  return (await getMany(entries)).filter((item) => item !== null);
}

const citedBy = (head: EmailHead, content: EmailContent | null): string[] =>
  head.status === 'received' || content?.arrival ? citedIds(head, content) : [];

/** The Message-IDs for which a thread may wait because of this message. */
function citedIds({ inReplyTo }: EmailHead, content: EmailContent | null): string[] {
  const answered = content?.arrival?.inReplyTo ?? (inReplyTo === null ? [] : [inReplyTo]);
  return candidateIds({ inReplyTo: answered, references: content?.references ?? [] });
}
