/** Claims of received messages in a copy that lags item by item: one may have come and its email not (docs/regions.md#what-is-lost). */
import { type EmailId, parseId, type WorkspaceId } from '../../core/ids.ts';
import { messageIdCodec } from '../emails/message-ids.ts';
import { receivedCodec } from '../emails/received.ts';
import { absentIn, expressionsOf } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { type Item, remove, update } from '../table/table.ts';

/** A message is not received again while a claim names its email. */
export interface ReceivedClaim {
  readonly workspaceId: WorkspaceId;
  readonly emailId: EmailId;
  readonly key: Key;
  /** A thread waits for the message, and goes on to wait. */
  readonly isAwaited: boolean;
}

/** null: the item is no claim, or that of an email that was deleted. */
export function claimOf(item: Item): ReceivedClaim | null {
  const [, workspace = '', kind] = /^W#([^#]+)#(RCVD|MID)#/.exec(item.pk) ?? [];
  const workspaceId = parseId('wks', workspace);
  if (!workspaceId) return null;
  const claim = { workspaceId, key: { pk: item.pk, sk: item.sk } };
  if (kind === 'RCVD') return { ...claim, emailId: receivedCodec.decode(item).emailId, isAwaited: false };
  const { emailId, fingerprint, waitingThread } = messageIdCodec.decode(item);
  if (emailId === null || fingerprint === null || 'expiresAt' in item) return null;
  return { ...claim, emailId, isAwaited: waitingThread !== null };
}

/** Lets the message be received again. For a table that nobody else writes. */
export async function releaseClaim({ key, isAwaited }: ReceivedClaim): Promise<void> {
  const claimed = messageIdCodec.part({ emailId: null, threadId: null, fingerprint: null });
  if (isAwaited) await update(key, expressionsOf({ remove: absentIn(claimed) }));
  else await remove(key);
}
