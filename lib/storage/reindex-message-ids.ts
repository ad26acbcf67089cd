/** The Message-ID index of version 0.1.0, brought up to date (docs/deploying.md#upgrading-from-010). */
import type { EmailHead } from '../core/email.ts';
import type { SpaceId, ThreadId, WorkspaceId } from '../core/ids.ts';
import { comparableId, sesIdOf } from '../core/mail/message-ids.ts';
import type { Paging } from '../core/page.ts';
import { headCodec } from './emails.ts';
import { expressionsOf } from './expressions.ts';
import * as keys from './keys.ts';
import { indexMessageId, messageIdCodec } from './message-ids.ts';
import { listPage } from './paging.ts';
import { getMany } from './reads.ts';
import { commit, type Write } from './transactions.ts';

/**
 * Indexes the ids that version 0.1.0 indexed with their capitals, and the threads that wait for such an id, one page of
 * emails. Idempotent: what is indexed already stays.
 */
export async function reindexMessageIds(
  workspaceId: WorkspaceId,
  paging: Paging,
): Promise<{ readonly listed: number; readonly next: string | null }> {
  const page = await listPage({ pk: keys.emails(workspaceId), order: 'oldest first', ...paging });
  const heads = page.items.map(headCodec.decode).filter(({ status }) => status === 'received');
  const owners = heads
    .filter(({ messageId }) => isRekeyed(messageId))
    .map((head) => indexMessageId(workspaceId, head.spaceId, head.messageId, ownerOf(head)));
  await commitEach(workspaceId, owners);
  const cited = heads.flatMap(({ spaceId, inReplyTo }) =>
    inReplyTo !== null && isRekeyed(inReplyTo) ? [{ spaceId, messageId: inReplyTo }] : [],
  );
  const items = await getMany(
    cited.map(({ spaceId, messageId }) => keys.messageIdKey(workspaceId, spaceId, idOfVersion010(messageId))),
  );
  const waits = cited.flatMap(({ spaceId, messageId }, index) => {
    const item = items[index];
    const waitingThread = item ? messageIdCodec.decode(item).waitingThread : null;
    return waitingThread === null ? [] : [waitFor(workspaceId, spaceId, messageId, waitingThread)];
  });
  await commitEach(workspaceId, waits);
  return { listed: owners.length + waits.length, next: page.next };
}

const ownerOf = ({ id, threadId }: EmailHead) => ({ emailId: id, threadId });

/** The form of a Message-ID under which version 0.1.0 indexed it. */
const idOfVersion010 = (messageId: string): string => sesIdOf(messageId) ?? messageId;

const isRekeyed = (messageId: string): boolean => idOfVersion010(messageId) !== comparableId(messageId);

function waitFor(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  messageId: string,
  waitingThread: ThreadId,
): Write {
  return {
    as: 'missing parent',
    update: keys.messageIdKey(workspaceId, spaceId, comparableId(messageId)),
    ...expressionsOf({ setOnce: { waitingThread } }),
  };
}

/** One by one: two emails may have the same id, and a transaction takes one write for an item. */
async function commitEach(workspaceId: WorkspaceId, writes: readonly Write[]): Promise<void> {
  for (const write of writes) await commit(workspaceId, [write]);
}
