/** Messages that inbound rules have blocked: what is needed to tell of them, and to let them in. They expire by TTL. */

import { now } from '../../adapters/clock.ts';
import { deleteObject } from '../../adapters/objects.ts';
import type { BlockedEmailId, WorkspaceId } from '../../core/ids.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import { type BlockedEmail, type BlockedSource, endsOfBlocked } from '../../core/receiving/inbound-rules.ts';
import { allDone } from '../../core/work/all-done.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { codec, type Field, id, list, nullable, number, secondsAsMs, sortKey, text } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { removeAll } from '../table/table.ts';
import { commitIfUnchanged, createdOnce, present } from '../table/transactions.ts';
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
  acceptedAt: nullable(number),
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

/** A blocked message that can still be let in, or null. */
export async function findOpenBlocked(
  workspaceId: WorkspaceId,
  blockedId: BlockedEmailId,
): Promise<BlockedEmail | null> {
  const blocked = await findBlocked(workspaceId, blockedId);
  return blocked && endsOfBlocked(blocked.createdAt).openUntil > now() ? blocked : null;
}

/** A blocked message, or null; also one that can no longer be let in. */
export async function findBlocked(
  workspaceId: WorkspaceId,
  blockedId: BlockedEmailId,
): Promise<BlockedEmail | null> {
  const reading = get(keys.blockedEmailKey(workspaceId, blockedId));
  return await unlessDeleted(
    workspaceId,
    reading.then((item) => item && blockedCodec.decode(item)),
  );
}

/** Notes that a blocked message is let in, with the messages that do it. False where it is gone. */
export async function acceptBlocked(
  workspaceId: WorkspaceId,
  blocked: BlockedEmail,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const item = {
    ...keys.blockedEmailKey(workspaceId, blocked.id),
    ...blockedCodec.encode({ ...blocked, acceptedAt: now() }),
  };
  return await commitIfUnchanged(workspaceId, [{ as: 'blocked', put: item, ...present }], messages);
}

/** Removes a blocked message that nobody has let in, with its raw message. Idempotent. */
export async function removeExpired(workspaceId: WorkspaceId, blocked: BlockedEmail): Promise<void> {
  await removeRaw(blocked);
  await removeAll([keys.blockedEmailKey(workspaceId, blocked.id)]);
}

/** A page of blocked messages, oldest first, also of expired ones and in deleted spaces. */
export async function listBlockedToErase(
  workspaceId: WorkspaceId,
  paging: Paging,
): Promise<Page<BlockedEmail>> {
  const input = { pk: keys.blockedEmails(workspaceId), order: 'oldest first' as const, ...paging };
  const { items, next } = await listPage(input);
  return { items: items.map(blockedCodec.decode), next };
}

/** Removes a blocked message. The raw message of accepted mail is that of an email. Idempotent. */
export async function eraseBlocked(workspaceId: WorkspaceId, blocked: BlockedEmail): Promise<void> {
  if (blocked.acceptedAt === null) await removeExpired(workspaceId, blocked);
  else await removeAll([keys.blockedEmailKey(workspaceId, blocked.id)]);
}

async function removeRaw({ source }: BlockedEmail): Promise<void> {
  if (source.kind === 'ses') await deleteObject(source.raw);
}

const rawsAtOnce = 10;

/** Removes a part of the blocked messages of a deleted space, or of an erased workspace, with their raw messages. */
export async function removeBlocked(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  after: string | null,
): Promise<{ readonly found: number; readonly next: string | null }> {
  const input = { pk: keys.blockedEmails(workspaceId), order: 'oldest first' as const, limit: 100, after };
  const { items, next } = await listPage(input);
  const own = items.filter((item) => scope === 'workspace' || blockedCodec.decode(item).spaceId === scope);
  // A record leads to its raw message, so that it goes after it.
  for (let start = 0; start < own.length; start += rawsAtOnce) {
    await allDone(own.slice(start, start + rawsAtOnce).map((item) => removeRaw(blockedCodec.decode(item))));
  }
  await removeAll(own);
  return { found: own.length, next };
}
