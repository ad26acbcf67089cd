/** Heads of emails: what lists read, and what changes when an email does. `emails.ts` has them with their parts. */
import type { Direction, EmailHead, EmailHeadChange, EmailStatus } from '../../core/emails/email.ts';
import {
  type Cancellation,
  cancelReasons,
  type DraftFacts,
  directionOf,
  emailStatuses,
} from '../../core/emails/email.ts';
import type { EmailId, SpaceId, ThreadId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { Address } from '../../mail/addresses/addresses.ts';
import { categories } from '../../mail/category/categories.ts';
import {
  codec,
  type Fields,
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
import { type ListInput, listFiltered, listPage } from '../table/paging.ts';
import { get, getMany } from '../table/reads.ts';
import { placeInSpace } from '../table/space-index.ts';
import { type Item, queryAll } from '../table/table.ts';
import { absent, createdOnceOf, type Write } from '../table/transactions.ts';
import { findKept, withoutDeleted } from '../workspaces/deleted-spaces.ts';

export const addressField = object<Address>({ name: nullable(text), address: text });

export const draftField = object<DraftFacts>({
  version: number,
  draftedBy: nullable(text),
  editedBy: nullable(text),
  approvedBy: nullable(text),
  expiresAt: nullable(number),
});

const cancellationField = object<Cancellation>({
  reason: oneOf(cancelReasons),
  at: number,
  by: nullable(text),
  byEmailId: nullable(id('eml')),
});

/** Empty lists and nulls are absent: they would cost bytes. */
export const headFields: Fields<EmailHead> = {
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
  cancelOnReply: optional({ read: () => true, write: () => true }),
  draft: optional(draftField),
  cancellation: optional(cancellationField),
  domainId: nullable(id('dom')),
  mailboxId: nullable(id('mbx')),
  createdAt: number,
  scheduledAt: nullable(number),
  sentAt: nullable(number),
  revision: number,
};

export const headCodec = codec<EmailHead>('email', headFields);

/** The writes that create an email in a thread, the first one named `email`. */
export function createEmail(workspaceId: WorkspaceId, head: EmailHead): Write[] {
  return [createHead(workspaceId, head), { ...emailOfThread(workspaceId, head), ...createdOnceOf(head.id) }];
}

/** The write that creates an email which is in no thread, named `email`. */
export function createHead(workspaceId: WorkspaceId, head: EmailHead): Write {
  const item = {
    ...keys.emailKey(workspaceId, head.id),
    ...headCodec.encode(head),
    ...placeInSpace(keys.emailsOfSpace, workspaceId, head.spaceId, head.id),
  };
  return { as: 'email', put: item, ...absent };
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
    ...expressionsOf(
      {
        set: {
          ...change,
          ...(change.cancellation && { cancellation: cancellationField.write(change.cancellation) }),
        },
        increment: { revision: 1 },
      },
      { equal: { ...expected } },
    ),
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

/** The head of an email, whatever its space is. For stores only. */
export async function findHead(workspaceId: WorkspaceId, id: EmailId): Promise<EmailHead | null> {
  const item = await get(keys.emailKey(workspaceId, id));
  return item && headCodec.decode(item);
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

const emailIdField = id('eml');

/**
 * Where emails are listed: those outside of spaces among all of the workspace. The list of a thread is consistent; that of a
 * space may lag behind.
 */
function partitionOf(
  workspaceId: WorkspaceId,
  { threadId, space }: EmailFilter,
): Pick<ListInput, 'pk' | 'index' | 'itemOf'> {
  if (threadId) {
    const itemOf = ({ sk }: keys.Key) => keys.emailKey(workspaceId, emailIdField.read(sk));
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

/** Heads of a thread that one call reads. */
const headsAtOnce = 100;

/** The heads of all emails of a thread, oldest first. Consistent. For deletion only: a thread may have thousands. */
export async function listAllOfThread(workspaceId: WorkspaceId, threadId: ThreadId): Promise<EmailHead[]> {
  const heads: EmailHead[] = [];
  let after: string | null = null;
  do {
    const page: Page<EmailHead> = await listHeads(workspaceId, { threadId }, { limit: headsAtOnce, after });
    heads.push(...page.items);
    after = page.next;
  } while (after !== null);
  return heads.reverse();
}

/** The heads of drafts of a thread that were canceled. */
export async function listEndedDrafts(workspaceId: WorkspaceId, threadId: ThreadId): Promise<EmailHead[]> {
  const entries = await queryAll(keys.endedDraftsOfThread(workspaceId, threadId));
  const found = await getMany(entries.map(({ sk }) => keys.emailKey(workspaceId, emailIdField.read(sk))));
  return found.flatMap((item) => (item ? [headCodec.decode(item)] : []));
}

/** Newest messages of a thread that a reply looks at. */
const newestRead = 100;

/** The newest 100 messages of a thread, newest first. Consistent. */
export async function listNewestMessages(workspaceId: WorkspaceId, threadId: ThreadId): Promise<EmailHead[]> {
  const { items } = await listHeads(workspaceId, { threadId }, { limit: newestRead, after: null });
  return [...items];
}
