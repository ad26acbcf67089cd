/** Emails: heads that lists read, and the parts (content, history, chunks, attachments) that belong to one email. */
import { allDone } from '../../core/all-done.ts';
import type {
  Direction,
  EmailHead,
  EmailHeadChange,
  EmailProgress,
  EmailStatus,
  FullEmail,
  HistoryEntry,
  HistoryEntryId,
} from '../../core/email.ts';
import { categories, directionOf, emailStatuses } from '../../core/email.ts';
import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Address } from '../../core/mail/addresses.ts';
import type { Page, Paging } from '../../core/page.ts';
import { bytesInResponse } from '../../core/response-size.ts';
import type { SubmissionChunk } from '../../core/submission.ts';
import {
  codec,
  flag,
  id,
  nullable,
  number,
  object,
  oneOf,
  optional,
  sortKey,
  sparseFlag,
  sparseList,
  text,
} from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { type ListInput, listFiltered, listPage, type Order } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { placeInSpace } from '../table/space-index.ts';
import { type Item, queryAll } from '../table/table.ts';
import { absent, createdOnce, type Write } from '../table/transactions.ts';
import {
  findDeletedSpaces,
  findKept,
  isDeleted,
  unlessDeleted,
  withoutDeleted,
} from '../workspaces/deleted-spaces.ts';
import { attachmentCodec } from './attachments.ts';
import { chunkCodec } from './chunks.ts';
import { contentJson, loadContent } from './email-content.ts';
import { engagementCountCodec } from './engagements.ts';
import { historyCodec } from './history.ts';

export const addressField = object<Address>({ name: nullable(text), address: text });

/** Empty lists and nulls are absent: they would cost bytes. */
export const headCodec = codec<EmailHead>('email', {
  id: sortKey(id('eml')),
  threadId: id('thr'),
  spaceId: nullable(id('spc')),
  status: oneOf(emailStatuses),
  from: addressField,
  to: sparseList(addressField),
  others: sparseList(addressField),
  subject: text,
  snippet: text,
  category: nullable(oneOf(categories)),
  suspicious: sparseFlag,
  suppressionKey: nullable(text),
  messageId: text,
  inReplyTo: nullable(text),
  idempotencyKey: nullable(text),
  wasDraft: optional(flag),
  domainId: nullable(id('dom')),
  mailboxId: nullable(id('mbx')),
  createdAt: number,
  scheduledAt: nullable(number),
  sentAt: nullable(number),
  revision: number,
});

/** The writes that create an email in a thread, the first one named `email`. */
export function createEmail(workspaceId: WorkspaceId, head: EmailHead): Write[] {
  const item = {
    ...keys.emailKey(workspaceId, head.id),
    ...headCodec.encode(head),
    ...placeInSpace(keys.emailsOfSpace, workspaceId, head.spaceId, head.id),
  };
  return [
    { as: 'email', put: item, ...absent },
    { ...emailOfThread(workspaceId, head), ...createdOnce },
  ];
}

/** The entry that lists an email in its thread. */
function emailOfThread(workspaceId: WorkspaceId, { id, threadId }: Pick<EmailHead, 'id' | 'threadId'>) {
  return { as: 'email of thread', put: { ...keys.emailOfThreadKey(workspaceId, threadId, id) } };
}

/**
 * The write that changes an email's head, named `status`. Every change raises `revision`, so that writers who derive
 * the status from the history detect each other.
 *
 * @param expected the condition of the write
 */
export function changeHead(
  workspaceId: WorkspaceId,
  id: EmailId,
  change: EmailHeadChange,
  expected: { readonly status: EmailStatus } | { readonly revision: number },
): Write {
  return {
    as: 'status',
    update: keys.emailKey(workspaceId, id),
    ...expressionsOf({ set: { ...change }, increment: { revision: 1 } }, { equal: { ...expected } }),
  };
}

/** An email of the workspace, or null. */
export async function findEmail(workspaceId: WorkspaceId, id: EmailId): Promise<EmailHead | null> {
  const [email] = await findEmails(workspaceId, [id]);
  return email ?? null;
}

/** Emails of the workspace, null where there is none. */
export async function findEmails(
  workspaceId: WorkspaceId,
  ids: readonly EmailId[],
): Promise<(EmailHead | null)[]> {
  const emailKeys = ids.map((id) => keys.emailKey(workspaceId, id));
  const heads = await findKept(workspaceId, emailKeys, headCodec.decode);
  const byId = new Map(heads.map((head) => [head.id, head]));
  return ids.map((id) => byId.get(id) ?? null);
}

/**
 * The progress of an email, or null. One round trip, whatever the size of its content: head and parts are read at the same
 * time, so that either may be the newer one.
 */
export async function findProgress(workspaceId: WorkspaceId, id: EmailId): Promise<EmailProgress | null> {
  const parts = await readPartsUnlessDeleted(workspaceId, id);
  return parts && progressOf(parts);
}

/** An email that was submitted, with one of its chunks. */
export interface SubmittedChunk {
  readonly head: EmailHead;
  readonly chunk: SubmissionChunk | null;
}

async function findHead(workspaceId: WorkspaceId, id: EmailId): Promise<EmailHead | null> {
  const item = await get(keys.emailKey(workspaceId, id));
  return item && headCodec.decode(item);
}

/** The head of an email with one of its chunks; null where there is no email, or its space is deleted. One batch read. */
export async function findSubmitted(
  workspaceId: WorkspaceId,
  id: EmailId,
  chunkNumber: number,
): Promise<SubmittedChunk | null> {
  const [head, chunk] = await allDone([
    unlessDeleted(workspaceId, findHead(workspaceId, id)),
    get(keys.chunkKey(workspaceId, id, chunkNumber)),
  ]);
  return head && { head, chunk: chunk && chunkCodec.decode(chunk) };
}

/**
 * The progress of an email that the caller has found: whether its space is deleted is not asked again. The head is read
 * before the parts, so that these have all that led to its status.
 */
export async function findProgressAgain(
  workspaceId: WorkspaceId,
  id: EmailId,
): Promise<EmailProgress | null> {
  const head = await findHead(workspaceId, id);
  return head && (await findProgressOf(workspaceId, head));
}

/** The progress of an email whose head was read before. */
export async function findProgressOf(workspaceId: WorkspaceId, head: EmailHead): Promise<EmailProgress> {
  return progressOf(partsOf(head, await queryAll(keys.emailParts(workspaceId, head.id))));
}

/** An email with all its parts, or null. One round trip, and one to the bucket where its content is large. */
export async function findFullEmail(workspaceId: WorkspaceId, id: EmailId): Promise<FullEmail | null> {
  const parts = await readPartsUnlessDeleted(workspaceId, id);
  return parts && (await fullEmailOf(workspaceId, id, parts));
}

/** As `findFullEmail`, with the entry of its history that has this id; null where there is none. */
export async function findEmailWithEntry(
  workspaceId: WorkspaceId,
  id: EmailId,
  entryId: HistoryEntryId,
): Promise<{ readonly email: FullEmail; readonly entry: HistoryEntry | null } | null> {
  const parts = await readPartsUnlessDeleted(workspaceId, id);
  if (!parts) return null;
  const { sk } = keys.historyKey(workspaceId, id, entryId);
  const entry = parts.startingWith(sk).find((item) => item.sk === sk);
  return {
    email: await fullEmailOf(workspaceId, id, parts),
    entry: entry ? historyCodec.decode(entry) : null,
  };
}

async function fullEmailOf(workspaceId: WorkspaceId, id: EmailId, parts: EmailParts): Promise<FullEmail> {
  const [content] = parts.startingWith(keys.contentKey(workspaceId, id).sk);
  const [count] = parts.startingWith(keys.engagementCountKey(workspaceId, id).sk);
  const files = parts.startingWith(keys.attachmentPrefix).map(attachmentCodec.decode);
  return {
    ...progressOf(parts),
    extractions: new Map(files.map((file) => [file.id, file.extraction])),
    engagementCount: count ? engagementCountCodec.decode(count).engagements : 0,
    content: await loadContent(workspaceId, id, content ? contentJson(content) : null),
  };
}

interface EmailParts {
  readonly head: EmailHead;
  startingWith(sortKeyPrefix: string): Item[];
}

async function readParts(workspaceId: WorkspaceId, id: EmailId): Promise<EmailParts | null> {
  const [head, parts] = await allDone([
    findHead(workspaceId, id),
    queryAll(keys.emailParts(workspaceId, id)),
  ]);
  return head && partsOf(head, parts);
}

function partsOf(head: EmailHead, parts: readonly Item[]): EmailParts {
  const startingWith = (prefix: string) => parts.filter(({ sk }) => sk.startsWith(prefix));
  return { head, startingWith };
}

/** The same, or null where the space of the email is deleted. */
async function readPartsUnlessDeleted(workspaceId: WorkspaceId, id: EmailId): Promise<EmailParts | null> {
  const [parts, deleted] = await allDone([readParts(workspaceId, id), findDeletedSpaces(workspaceId)]);
  return parts && !isDeleted(deleted, parts.head.spaceId) ? parts : null;
}

function progressOf({ head, startingWith }: EmailParts): EmailProgress {
  const chunks = startingWith(keys.chunkPrefix).map(chunkCodec.decode);
  return {
    head,
    history: startingWith(keys.historyPrefix).map(historyCodec.decode),
    chunks,
  };
}

export interface EmailFilter {
  /** undefined: every space. */
  readonly space?: SpaceId | null | undefined;
  readonly direction?: Direction | undefined;
  readonly status?: EmailStatus | undefined;
  readonly threadId?: ThreadId | undefined;
  /** The `query` parameter as a predicate. */
  readonly matches?: ((head: EmailHead) => boolean) | undefined;
}

/**
 * A page of emails, newest first. With a filter beside `space` and `threadId` it may end early; see `listFiltered`.
 * The caller checks that a given space or thread exists.
 */
export async function listEmails(
  workspaceId: WorkspaceId,
  filter: EmailFilter,
  paging: Paging,
): Promise<Page<EmailHead>> {
  if (filter.threadId || filter.space !== undefined) return await listHeads(workspaceId, filter, paging);
  const { matches = () => true } = filter;
  return await withoutDeleted(workspaceId, (isKept) => {
    const kept = isKept && { ...filter, matches: (head: EmailHead) => isKept(head) && matches(head) };
    return listHeads(workspaceId, kept ?? filter, paging);
  });
}

async function listHeads(
  workspaceId: WorkspaceId,
  filter: EmailFilter,
  paging: Paging,
): Promise<Page<EmailHead>> {
  const { space, threadId, direction, status, matches } = filter;
  const input = { ...partitionOf(workspaceId, filter), order: 'newest first' as const, ...paging };
  const isOfSome = direction || status || matches || (threadId && space !== undefined);
  const keep = (item: Item) => passesFilter(headCodec.decode(item), filter);
  const page =
    isOfSome || space === null
      ? await listFiltered(input, keep, isOfSome ? 'some' : 'all or few')
      : await listPage(input);
  return { items: page.items.map(headCodec.decode), next: page.next };
}

/**
 * Where emails are listed: those outside of spaces among all of the workspace. The list of a thread is consistent; that of a
 * space may lag behind.
 */
function partitionOf(
  workspaceId: WorkspaceId,
  { threadId, space }: EmailFilter,
): Pick<ListInput, 'pk' | 'index' | 'itemOf'> {
  if (threadId) {
    const itemOf = ({ sk }: keys.Key) => ({ pk: keys.emails(workspaceId), sk });
    return { pk: keys.emailsOfThread(workspaceId, threadId), itemOf };
  }
  if (!space) return { pk: keys.emails(workspaceId) };
  return { pk: keys.emailsOfSpace(workspaceId, space), index: 'GSI1' };
}

function passesFilter(head: EmailHead, filter: EmailFilter): boolean {
  if (filter.space !== undefined && head.spaceId !== filter.space) return false;
  if (filter.status && head.status !== filter.status) return false;
  if (filter.direction && directionOf(head.status) !== filter.direction) return false;
  return filter.matches?.(head) ?? true;
}

/** Messages read at once: each may hold megabytes, and the page ends at `bytesMax`. */
const messagesAtOnce = 10;

/**
 * Messages of a thread with all parts, as a consistent read. The page ends early once it holds `bytesMax`
 * of content. The caller checks that the thread exists.
 *
 * @param paging.after the email id to continue after
 */
export async function listThreadMessages(
  workspaceId: WorkspaceId,
  threadId: ThreadId,
  paging: Paging & { readonly bytesMax: number; readonly order: Order },
): Promise<Page<FullEmail>> {
  const page = await listPage({
    pk: keys.emailsOfThread(workspaceId, threadId),
    order: paging.order,
    limit: paging.limit,
    after: paging.after,
  });
  const ids = idsOf(page);
  const messages: FullEmail[] = [];
  let bytes = 0;
  for (let start = 0; start < ids.length; start += messagesAtOnce) {
    const batch = ids.slice(start, start + messagesAtOnce);
    for (const email of await Promise.all(batch.map((id) => findMessage(workspaceId, id)))) {
      if (!email) continue;
      bytes += bytesInResponse(email.content);
      if (messages.length > 0 && bytes > paging.bytesMax) {
        return { items: messages, next: messages.at(-1)?.head.id ?? null };
      }
      messages.push(email);
    }
  }
  return { items: messages, next: page.next };
}

/** A message of a thread that the caller has found, or null: whether its space is deleted is not asked again. */
export async function findMessage(workspaceId: WorkspaceId, id: EmailId): Promise<FullEmail | null> {
  const parts = await readParts(workspaceId, id);
  return parts && (await fullEmailOf(workspaceId, id, parts));
}

const headIdCodec = codec<{ readonly id: EmailId }>('email', { id: sortKey(id('eml')) });

const idsOf = ({ items }: Page<Item>): EmailId[] => items.map((item) => headIdCodec.decode(item).id);

/** Newest messages of a thread that a reply looks at. */
const newestRead = 100;

/** The newest 100 messages of a thread, newest first. Consistent. */
export async function listNewestMessages(workspaceId: WorkspaceId, threadId: ThreadId): Promise<EmailHead[]> {
  const { items } = await listHeads(workspaceId, { threadId }, { limit: newestRead, after: null });
  return [...items];
}
