/**
 * Deleted emails and threads (docs/decisions/0081-deleted-mail.md): the transaction that hides one keeps its head until its
 * parts are removed. Afterwards only its id stays, for 30 days.
 */
import { now } from '../../adapters/clock.ts';
import type { Draft } from '../../core/emails/draft.ts';
import type { EmailHead } from '../../core/emails/email.ts';
import { type EmailId, type EventId, parseId, type ThreadId, type WorkspaceId } from '../../core/ids.ts';
import type { EraseMail } from '../../core/queue-messages.ts';
import type { Thread } from '../../core/threads/thread.ts';
import { writersEndMs } from '../../core/workspaces/teardown.ts';
import { endDraft } from '../emails/drafts.ts';
import { headCodec } from '../emails/email-heads.ts';
import { listEventsOfCreation } from '../emails/events-of-email.ts';
import { removeConversations } from '../mailboxes/provider-messages.ts';
import { codec, id, number, secondsAsMs, sparseFlag, sparseList } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { type Item, put, removeAll } from '../table/table.ts';
import { absent, commitIfUnchanged, type Write } from '../table/transactions.ts';
import { otherItemsOf, placesIn, threadCodec } from '../threads/threads.ts';
import { removeDeletedEmail } from './teardown-emails.ts';

/** How long an id is known to be deleted: as long as a Message-ID. */
const markedMs = 30 * 24 * 3_600_000;

/** How far the removal of a deleted record is. */
interface Progress {
  readonly deletedAt: number;
  /** 1: of what there is; 2: of what functions have written that had begun before the deletion. */
  readonly pass: number;
  /** Whether the record is stored still. */
  readonly isOpen: boolean;
  /** Of the creation of an email: their messages go with its entry in the thread. */
  readonly events: readonly EventId[];
}

const progressCodec = codec<Progress>('erasure', {
  deletedAt: number,
  pass: number,
  isOpen: sparseFlag,
  events: sparseList(id('evt')),
});

/** A deleted email or thread whose parts are being removed. */
export type Erasure = Omit<Progress, 'isOpen'> &
  (
    | { readonly kind: 'email'; readonly head: EmailHead }
    | { readonly kind: 'thread'; readonly thread: Thread }
  );

/** The writes that hide an email, the first one named `email`: it fails where the email has changed. */
export async function hideEmail(workspaceId: WorkspaceId, head: EmailHead): Promise<Write[]> {
  const { id: emailId, threadId, revision } = head;
  const events = await listEventsOfCreation(workspaceId, head);
  return [
    {
      as: 'email',
      delete: keys.emailKey(workspaceId, emailId),
      ...expressionsOf({}, { equal: { revision } }),
    },
    { as: 'email of thread', delete: keys.emailOfThreadKey(workspaceId, threadId, emailId) },
    ...keepForRemoval(workspaceId, head, events),
  ];
}

/** The same of a draft; the first write is named `draft`. */
export function hideDraft(workspaceId: WorkspaceId, draft: Draft): Write[] {
  return [...endDraft(workspaceId, draft), ...keepForRemoval(workspaceId, draft, [])];
}

/** A key whose email is gone can be used anew (docs/concepts/idempotency.md#lifetime-of-a-key). */
function keepForRemoval(workspaceId: WorkspaceId, head: EmailHead, events: readonly EventId[]): Write[] {
  const { spaceId, idempotencyKey } = head;
  return [
    ...(idempotencyKey === null
      ? []
      : [
          {
            as: 'idempotency',
            delete: keys.idempotencyKey(workspaceId, spaceId, idempotencyKey),
          } as const,
        ]),
    beginErasure(workspaceId, head.id, headCodec.encode(head), events),
  ];
}

/** The writes that hide a thread, the first one named `thread`: it fails where the thread has changed. */
export function hideThread(workspaceId: WorkspaceId, thread: Thread): Write[] {
  const { id: threadId, version } = thread;
  return [
    {
      as: 'thread',
      delete: keys.threadKey(workspaceId, threadId),
      ...expressionsOf({}, { equal: { version } }),
    },
    beginErasure(workspaceId, threadId, threadCodec.encode(thread), []),
  ];
}

function beginErasure(
  workspaceId: WorkspaceId,
  of: EmailId | ThreadId,
  record: object,
  events: readonly EventId[],
): Write {
  const progress = progressCodec.encode({ deletedAt: now(), pass: 1, isOpen: true, events });
  return {
    as: 'erasure',
    put: { ...keys.erasureKey(workspaceId, of), ...record, ...progress },
    ...absent,
  };
}

/** The message that removes what a deleted email or thread has left. */
export function erasureMessage(workspaceId: WorkspaceId, of: EmailId | ThreadId, pass = 1): EraseMail {
  return { kind: 'erase-mail', v: 1, workspaceId, of, pass };
}

/** A deletion whose parts may still be stored; null where there is none. */
export async function findErasure(workspaceId: WorkspaceId, of: EmailId | ThreadId): Promise<Erasure | null> {
  const item = await get(keys.erasureKey(workspaceId, of));
  return item && decodeErasure(item);
}

function decodeErasure(item: Item): Erasure | null {
  const { isOpen, ...progress } = progressCodec.decode(item);
  if (!isOpen) return null;
  return parseId('thr', item.sk)
    ? { ...progress, kind: 'thread', thread: threadCodec.decode(item) }
    : { ...progress, kind: 'email', head: headCodec.decode(item) };
}

/** Whether an email or thread was deleted, in the last 30 days. */
export async function isDeletedMail(workspaceId: WorkspaceId, of: EmailId | ThreadId): Promise<boolean> {
  return (await get(keys.erasureKey(workspaceId, of))) !== null;
}

const idOf = (erasure: Erasure): EmailId | ThreadId =>
  erasure.kind === 'email' ? erasure.head.id : erasure.thread.id;

/** Ends a pass: after the first one another follows when nobody writes to the record any more. */
export async function endPass(workspaceId: WorkspaceId, erasure: Erasure): Promise<void> {
  const { deletedAt, pass } = erasure;
  const id = idOf(erasure);
  const key = keys.erasureKey(workspaceId, id);
  if (pass === 1) {
    const next: Write = {
      as: 'erasure',
      update: key,
      ...expressionsOf({ set: { pass: 2 } }, { equal: { pass } }),
    };
    const message = erasureMessage(workspaceId, id, 2);
    await commitIfUnchanged(workspaceId, [next], [{ message, dueAt: deletedAt + writersEndMs }]);
  } else {
    const ended = progressCodec.encode({ deletedAt, pass, isOpen: false, events: [] });
    await put({ ...key, ...ended, expiresAt: secondsAsMs.write(deletedAt + markedMs) });
  }
}

/**
 * Removes what is stored for a deleted email or thread, without its events. Of a thread, its emails are removed by themselves.
 * Idempotent.
 *
 * @param isLast false: the messages stay that name the events of an email, for those that are still being published
 */
export async function removeErased(
  workspaceId: WorkspaceId,
  erasure: Erasure,
  isLast: boolean,
): Promise<void> {
  if (erasure.kind === 'email') return await removeDeletedEmail(workspaceId, erasure.head, isLast);
  const { thread } = erasure;
  const partitions = [keys.activity(workspaceId), keys.unreadActivity(workspaceId)];
  await removeAll([
    ...otherItemsOf(workspaceId, thread),
    ...partitions.flatMap((pk) => placesIn(pk, thread)),
  ]);
  await removeConversations(workspaceId, thread.id);
}

/** Deletions removed by one call: each may have thousands of parts. */
const erasuresAtOnce = 10;

/** Removes deletions of an erased workspace with what is left of their records. @returns the number found; 0: nothing is left */
export async function removeErasures(workspaceId: WorkspaceId): Promise<number> {
  const pk = keys.erasures(workspaceId);
  const { items } = await listPage({ pk, order: 'oldest first', limit: erasuresAtOnce, after: null });
  for (const item of items) {
    const erasure = decodeErasure(item);
    if (erasure) await removeErased(workspaceId, erasure, true);
  }
  await removeAll(items);
  return items.length;
}
