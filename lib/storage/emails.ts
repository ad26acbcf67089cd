/** Emails: heads that lists read, and the parts (content, history) that belong to one email. */

import type { EmailContent, EmailHead, EmailStatus, HistoryEntry } from '../core/email.ts';
import { type Direction, directionOf } from '../core/email.ts';
import type { AttachmentId, EmailId, SpaceId, ThreadId, WorkspaceId } from '../core/ids.ts';
import { bytesInResponse } from '../core/response-size.ts';
import type { TextExtraction } from '../core/text-extraction.ts';
import { attachmentRecord } from './attachments.ts';
import { type Chunk, chunk } from './chunks.ts';
import { loadContent } from './email-content.ts';
import * as keys from './keys.ts';
import { listFiltered, listPage, type Page } from './paging.ts';
import { absent, get, getMany, type Item, queryAll, type Write } from './table.ts';

/** The write that creates an email, named `email`. */
export function createEmail(workspaceId: WorkspaceId, head: EmailHead): Write {
  const { id, ...attributes } = head;
  return {
    as: 'email',
    put: {
      ...keys.emailKey(workspaceId, id),
      ...attributes,
      // Empty lists and nulls would only cost bytes in the table and its index.
      ...Object.fromEntries(
        Object.entries(attributes)
          .filter(([, value]) => value === null || (Array.isArray(value) && value.length === 0))
          .map(([name]) => [name, undefined]),
      ),
      g1pk: keys.emailsOfSpace(workspaceId, head.spaceId),
      g1sk: id,
      g2pk: keys.emailsOfThread(workspaceId, head.threadId),
      g2sk: id,
    },
    ...absent,
  };
}

export function emailHead(item: Item): EmailHead {
  const optional = <T>(name: string): T | null => (item[name] as T | undefined) ?? null;
  return {
    id: item.sk as EmailId,
    threadId: item.threadId as ThreadId,
    spaceId: optional('spaceId'),
    status: item.status as EmailStatus,
    from: item.from as EmailHead['from'],
    to: (item.to as EmailHead['to'] | undefined) ?? [],
    others: (item.others as EmailHead['others'] | undefined) ?? [],
    subject: item.subject as string,
    snippet: item.snippet as string,
    category: optional('category'),
    suppressionKey: optional('suppressionKey'),
    messageId: item.messageId as string,
    inReplyTo: optional('inReplyTo'),
    idempotencyKey: optional('idempotencyKey'),
    domainId: optional('domainId'),
    mailboxId: optional('mailboxId'),
    createdAt: item.createdAt as number,
    scheduledAt: optional('scheduledAt'),
    sentAt: optional('sentAt'),
    revision: (item.revision as number | undefined) ?? 0,
  };
}

/** An email of the workspace, or null. */
export async function findEmail(workspaceId: WorkspaceId, id: EmailId): Promise<EmailHead | null> {
  const item = await get(keys.emailKey(workspaceId, id));
  return item ? emailHead(item) : null;
}

/** How far an email has come: what its hand-off and the provider's reports have written. */
export interface EmailProgress {
  readonly head: EmailHead;
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
  /** The hand-off chunks that have been claimed so far, by number. */
  readonly chunks: readonly Chunk[];
}

export interface FullEmail extends EmailProgress {
  readonly content: EmailContent;
  /** What preparing its files came to; null where that is not known yet, or not done. */
  readonly extractions: ReadonlyMap<AttachmentId, TextExtraction | null>;
  /** How many opens and clicks have been counted; see `engagements.ts`. */
  readonly engagementCount: number;
}

/** The progress of an email, or null. One round trip, whatever the size of its content. */
export async function findProgress(workspaceId: WorkspaceId, id: EmailId): Promise<EmailProgress | null> {
  const found = await readEmail(workspaceId, id);
  return found?.progress ?? null;
}

/** An email with all its parts, or null: one round trip, and one to the bucket where its content is large. */
export async function findFullEmail(workspaceId: WorkspaceId, id: EmailId): Promise<FullEmail | null> {
  const found = await readEmail(workspaceId, id);
  if (!found) return null;
  const { progress, content, extractions, engagementCount } = found;
  return { ...progress, extractions, engagementCount, content: await loadContent(workspaceId, id, content) };
}

async function readEmail(
  workspaceId: WorkspaceId,
  id: EmailId,
): Promise<{
  progress: EmailProgress;
  content: Item | null;
  extractions: ReadonlyMap<AttachmentId, TextExtraction | null>;
  engagementCount: number;
} | null> {
  const [head, parts] = await Promise.all([
    get(keys.emailKey(workspaceId, id)),
    queryAll(keys.emailParts(workspaceId, id)),
  ]);
  if (!head) return null;
  const startingWith = (prefix: string) => parts.filter(({ sk }) => sk.startsWith(prefix));
  return {
    progress: {
      head: emailHead(head),
      history: startingWith(keys.historyPrefix).map(historyEntry),
      chunks: startingWith(keys.chunkPrefix).map(chunk),
    },
    content: startingWith(keys.contentKey(workspaceId, id).sk)[0] ?? null,
    extractions: new Map(
      startingWith(keys.attachmentPrefix)
        .map(attachmentRecord)
        .map((file) => [file.id, file.preparation]),
    ),
    engagementCount:
      (startingWith(keys.engagementCountKey(workspaceId, id).sk)[0]?.engagements as number | undefined) ?? 0,
  };
}

export interface EmailFilter {
  /** undefined: every space. */
  readonly space?: SpaceId | null | undefined;
  readonly direction?: Direction | undefined;
  readonly status?: EmailStatus | undefined;
  readonly threadId?: ThreadId | undefined;
  /** Lets an email through (the `query` parameter). */
  readonly matches?: ((head: EmailHead) => boolean) | undefined;
}

/** A page of emails, newest first. With a filter beside `space` and `threadId` it may end early; see `listFiltered`. */
export async function listEmails(
  workspaceId: WorkspaceId,
  filter: EmailFilter,
  paging: { limit: number; after: string | null },
): Promise<Page<EmailHead>> {
  if (filter.threadId) return await listOfThread(workspaceId, filter.threadId, filter, paging);
  const partition =
    filter.space === undefined
      ? { pk: keys.emails(workspaceId) }
      : { pk: keys.emailsOfSpace(workspaceId, filter.space), index: 'GSI1' as const };
  const input = { ...partition, order: 'newest first' as const, ...paging };
  const filtered = filter.direction || filter.status || filter.matches;
  const page = filtered
    ? await listFiltered(input, (item) => passes(emailHead(item), filter))
    : await listPage(input);
  return { items: page.items.map(emailHead), next: page.next };
}

/** The thread's index holds keys only, so its heads are read by themselves. */
async function listOfThread(
  workspaceId: WorkspaceId,
  threadId: ThreadId,
  filter: EmailFilter,
  paging: { limit: number; after: string | null },
): Promise<Page<EmailHead>> {
  const pk = keys.emailsOfThread(workspaceId, threadId);
  const page = await listPage({ pk, index: 'GSI2', order: 'newest first', ...paging });
  const heads = await getMany(page.items.map(({ pk, sk }) => ({ pk, sk })));
  return {
    items: heads.flatMap((item) => (item && passes(emailHead(item), filter) ? [emailHead(item)] : [])),
    next: page.next,
  };
}

function passes(head: EmailHead, filter: EmailFilter): boolean {
  if (filter.space !== undefined && head.spaceId !== filter.space) return false;
  if (filter.status && head.status !== filter.status) return false;
  if (filter.direction && directionOf(head.status) !== filter.direction) return false;
  return filter.matches?.(head) ?? true;
}

/**
 * Messages of a thread with everything, oldest first. The page ends early once it holds `bytesMax` of content.
 *
 * @param paging.after the email id to continue after
 */
export async function listThreadMessages(
  workspaceId: WorkspaceId,
  threadId: ThreadId,
  paging: { limit: number; after: EmailId | null; bytesMax: number },
): Promise<Page<FullEmail>> {
  const page = await listPage({
    pk: keys.emailsOfThread(workspaceId, threadId),
    index: 'GSI2',
    order: 'oldest first',
    limit: paging.limit,
    after: paging.after,
  });
  const shown: FullEmail[] = [];
  let bytes = 0;
  // A few at a time: each may hold megabytes, and the page ends where it is full.
  for (let at = 0; at < page.items.length; at += messagesAtOnce) {
    const ids = page.items.slice(at, at + messagesAtOnce).map((item) => item.sk as EmailId);
    for (const full of await Promise.all(ids.map((id) => findFullEmail(workspaceId, id)))) {
      if (!full) continue;
      bytes += bytesInResponse(full.content);
      if (shown.length > 0 && bytes > paging.bytesMax)
        return { items: shown, next: shown.at(-1)?.head.id ?? null };
      shown.push(full);
    }
  }
  return { items: shown, next: page.next };
}

const messagesAtOnce = 10;

/** For each of `wanted`, the newest message of the thread that it accepts; looks at the newest 100 messages. */
export async function newestOfThread<Name extends string>(
  workspaceId: WorkspaceId,
  threadId: ThreadId,
  wanted: Readonly<Record<Name, (head: EmailHead) => boolean>>,
): Promise<Record<Name, EmailHead | null>> {
  const page = await listOfThread(workspaceId, threadId, {}, { limit: 100, after: null });
  const entries = Object.entries<(head: EmailHead) => boolean>(wanted);
  return Object.fromEntries(
    entries.map(([name, accepts]) => [name, page.items.find(accepts) ?? null]),
  ) as Record<Name, EmailHead | null>;
}

/**
 * The write of a history entry, named `history`. Its key comes from the time and source, so that a report that
 * is repeated fails on the condition instead of standing twice.
 */
export function addHistoryEntry(
  workspaceId: WorkspaceId,
  id: EmailId,
  entry: HistoryEntry,
  source: string,
): Write & { readonly put: Item } {
  return {
    as: 'history',
    put: { ...keys.historyKey(workspaceId, id, entry.at, source), ...entry },
    ...absent,
  };
}

export function historyEntry(item: Item): HistoryEntry {
  return {
    type: item.type as HistoryEntry['type'],
    at: item.at as number,
    recipients: item.recipients as string[],
    detail: (item.detail as string | null | undefined) ?? null,
    ...(item.permanent === undefined ? {} : { permanent: Boolean(item.permanent) }),
    ...(item.optOut === undefined ? {} : { optOut: item.optOut as NonNullable<HistoryEntry['optOut']> }),
  };
}

/** What is changed of an email's head. */
export interface HeadChange {
  readonly status?: EmailStatus;
  readonly messageId?: string;
  readonly sentAt?: number;
  readonly scheduledAt?: number | null;
}

/**
 * The write that changes an email's head, named `status`. Every change raises `revision`, so that writers who derive
 * the status from the history notice each other.
 *
 * @param expected the write fails where the email is not so any more
 */
export function changeHead(
  workspaceId: WorkspaceId,
  id: EmailId,
  change: HeadChange,
  expected: { readonly status: EmailStatus } | { readonly revision: number },
): Write {
  const [name, value] = Object.entries(expected)[0] ?? [];
  const given = Object.entries(change).filter(([, of]) => of !== undefined);
  return {
    as: 'status',
    update: keys.emailKey(workspaceId, id),
    UpdateExpression: `SET ${['#revision = #revision + :one', ...given.map(([of]) => `#${of} = :${of}`)].join(', ')}`,
    ConditionExpression: `#${name} = :expected`,
    ExpressionAttributeNames: Object.fromEntries(
      ['revision', name ?? '', ...given.map(([of]) => of)].map((of) => [`#${of}`, of]),
    ),
    ExpressionAttributeValues: {
      ':one': 1,
      ':expected': value,
      ...Object.fromEntries(given.map(([of, to]) => [`:${of}`, to])),
    },
  };
}
