/** Letting in a message that inbound rules have blocked: it is received as it would have been without rules. */
import { findObject } from '../../adapters/objects.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { ReceiveBlockedEmail } from '../../core/queue-messages.ts';
import type { BlockedEmail, BlockedSource } from '../../core/receiving/inbound-rules.ts';
import { parseMime } from '../../mail/message/parse-mime.ts';
import { lookUpArrival } from '../../storage/emails/arrivals.ts';
import { findBlocked } from '../../storage/receiving/blocked-emails.ts';
import { expireRaw } from '../../storage/receiving/raw-messages.ts';
import { newArrival } from './arrival.ts';
import { receiveInSpace } from './receive-in-space.ts';

/** The blocked message of a queue message; null where it has expired. */
export async function blockedOf({
  workspaceId,
  blockedId,
}: ReceiveBlockedEmail): Promise<BlockedEmail | null> {
  return await findBlocked(workspaceId, blockedId);
}

/** Receives a blocked message of SES, past the rules. Idempotent. */
export async function receiveBlocked(
  workspaceId: WorkspaceId,
  { spaceId, to }: BlockedEmail,
  { sesId, returnPath, verdicts, raw, domainId }: Extract<BlockedSource, { kind: 'ses' }>,
): Promise<void> {
  const bytes = await findObject(raw);
  if (bytes === null) return;
  const origin = { id: sesId, returnPath, verdicts, raw, isShared: false, isSent: false };
  const arrival = await newArrival(await parseMime(bytes), origin);
  const target = { workspaceId, spaceId, domainId, recipients: to, mailbox: null };
  const seen = await lookUpArrival(target, arrival);
  if (!(await receiveInSpace(arrival, target, { ...seen, usesInboundRules: false }))) await expireRaw(raw);
}
