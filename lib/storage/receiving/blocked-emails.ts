/** Messages that inbound rules have blocked: what is needed to tell of them, and to let them in. They expire by TTL. */
import { now } from '../../adapters/clock.ts';
import type { BlockedEmailId, WorkspaceId } from '../../core/ids.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { BlockedEmail, BlockedSource } from '../../core/receiving/inbound-rules.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { codec, type Field, id, list, nullable, number, secondsAsMs, sortKey, text } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { removeAll } from '../table/table.ts';
import { commitIfUnchanged, createdOnce } from '../table/transactions.ts';
import { unlessDeleted } from '../workspaces/deleted-spaces.ts';

/** Written by this file alone. */
const sourceField: Field<BlockedSource> = {
  read: (stored): BlockedSource => JSON.parse(String(stored)),
  write: (source) => JSON.stringify(source),
};

const blockedCodec = codec<BlockedEmail>('blocked email', {
  id: sortKey(id('blk')),
  spaceId: nullable(id('spc')),
  from: text,
  to: list(text),
  subject: text,
  ruleId: nullable(id('rul')),
  source: sourceField,
  createdAt: number,
  expiresAt: secondsAsMs,
});

/** Stores a blocked message with its messages; false where it was stored before: nothing was written. */
export async function storeBlocked(
  workspaceId: WorkspaceId,
  blocked: BlockedEmail,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const item = { ...keys.blockedEmailKey(workspaceId, blocked.id), ...blockedCodec.encode(blocked) };
  return await commitIfUnchanged(workspaceId, [{ as: 'blocked', put: item, ...createdOnce }], messages);
}

/** A blocked message, or null, also where it has expired. */
export async function findBlocked(
  workspaceId: WorkspaceId,
  blockedId: BlockedEmailId,
): Promise<BlockedEmail | null> {
  const reading = get(keys.blockedEmailKey(workspaceId, blockedId));
  const blocked = await unlessDeleted(
    workspaceId,
    reading.then((item) => item && blockedCodec.decode(item)),
  );
  return blocked && blocked.expiresAt > now() ? blocked : null;
}

/** Removes a part of the blocked messages of a deleted space, or of an erased workspace. */
export async function removeBlocked(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  after: string | null,
): Promise<{ readonly found: number; readonly next: string | null }> {
  const input = { pk: keys.blockedEmails(workspaceId), order: 'oldest first' as const, limit: 500, after };
  const { items, next } = await listPage(input);
  const own = items.filter((item) => scope === 'workspace' || blockedCodec.decode(item).spaceId === scope);
  await removeAll(own);
  return { found: own.length, next };
}
