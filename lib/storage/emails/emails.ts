/** Emails with the parts that belong to them: content, history, chunks, attachments and the count of engagements. */

import type {
  EmailHead,
  EmailProgress,
  FullEmail,
  HistoryEntry,
  HistoryEntryId,
} from '../../core/emails/email.ts';
import { bytesInResponse } from '../../core/emails/response-size.ts';
import type { SubmissionChunk } from '../../core/emails/submission.ts';
import type { EmailId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import { allDone } from '../../core/work/all-done.ts';
import { codec, id, sortKey } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { listPage, type Order } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { type Item, queryAll } from '../table/table.ts';
import { findDeletedSpaces, isDeleted, unlessDeleted } from '../workspaces/deleted-spaces.ts';
import { attachmentCodec } from './attachments.ts';
import { chunkCodec } from './chunks.ts';
import { loadContent } from './email-content.ts';
import { findHead } from './email-heads.ts';
import { engagementCountCodec } from './engagements.ts';
import { historyCodec } from './history.ts';

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

/** As `findStoredEmail`, with the entry of its history that has this id; null where there is none. */
export async function findStoredEmailWithEntry(
  workspaceId: WorkspaceId,
  id: EmailId,
  entryId: HistoryEntryId,
): Promise<{ readonly email: FullEmail; readonly entry: HistoryEntry | null } | null> {
  const parts = await readParts(workspaceId, id);
  if (!parts) return null;
  const { sk } = keys.historyKey(workspaceId, id, entryId);
  const entry = parts.startingWith(sk).find((item) => item.sk === sk);
  return {
    email: await fullEmailOf(workspaceId, id, parts),
    entry: entry ? historyCodec.decode(entry) : null,
  };
}

/** An email or draft whose head was read before, with all its parts. */
export async function fullEmailOfHead(workspaceId: WorkspaceId, head: EmailHead): Promise<FullEmail> {
  const parts = partsOf(head, await queryAll(keys.emailParts(workspaceId, head.id)));
  return await fullEmailOf(workspaceId, head.id, parts);
}

async function fullEmailOf(workspaceId: WorkspaceId, id: EmailId, parts: EmailParts): Promise<FullEmail> {
  const [content] = parts.startingWith(keys.contentKey(workspaceId, id).sk);
  const [count] = parts.startingWith(keys.engagementCountKey(workspaceId, id).sk);
  const files = parts.startingWith(keys.attachmentPrefix).map(attachmentCodec.decode);
  return {
    ...progressOf(parts),
    extractions: new Map(files.map((file) => [file.id, file.extraction])),
    engagementCount: count ? engagementCountCodec.decode(count).engagements : 0,
    content: await loadContent(workspaceId, id, content ?? null),
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
    for (const email of await Promise.all(batch.map((id) => findStoredEmail(workspaceId, id)))) {
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

/** As `findFullEmail`, also of a deleted space: for what asks for the deletion itself. */
export async function findStoredEmail(workspaceId: WorkspaceId, id: EmailId): Promise<FullEmail | null> {
  const parts = await readParts(workspaceId, id);
  return parts && (await fullEmailOf(workspaceId, id, parts));
}

const headIdCodec = codec<{ readonly id: EmailId }>('email', { id: sortKey(id('eml')) });

const idsOf = ({ items }: Page<Item>): EmailId[] => items.map((item) => headIdCodec.decode(item).id);
