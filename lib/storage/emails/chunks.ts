/** Submission chunks: each is claimed before the call to SES and completed after it (docs/concepts/sending.md#never-twice). */

import type { SubmissionChunk } from '../../core/emails/submission.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { codec, type Field, list, nullable, number, oneOf, sortKey, text } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { get } from '../table/reads.ts';
import type { Item } from '../table/table.ts';
import { absent, type Write } from '../table/transactions.ts';

const chunkNumber: Field<number> = { read: (stored) => Number(text.read(stored)), write: (value) => value };

export const chunkCodec = codec<SubmissionChunk>('submission chunk', {
  number: sortKey(chunkNumber, keys.chunkPrefix),
  of: number,
  recipients: list(text),
  state: oneOf(['claimed', 'accepted', 'refused']),
  attempt: number,
  claimedAt: number,
  region: text,
  providerId: nullable(text),
  messageId: nullable(text),
  reason: nullable(text),
  completedAt: nullable(number),
});

/** A chunk of an email, or null. */
export async function findChunk(
  workspaceId: WorkspaceId,
  id: EmailId,
  chunkNumber: number,
): Promise<SubmissionChunk | null> {
  const item = await get(keys.chunkKey(workspaceId, id, chunkNumber));
  return item && chunkCodec.decode(item);
}

/**
 * The write that claims a chunk, named `chunk`. Its condition fails when another worker has claimed the chunk.
 *
 * @param before the claim that is replaced; null where the chunk has none
 */
export function claimChunk(
  workspaceId: WorkspaceId,
  id: EmailId,
  claim: SubmissionChunk,
  before: SubmissionChunk | null,
): Write {
  return { as: 'chunk', put: chunkItem(workspaceId, id, claim), ...(before ? isClaimed(before) : absent) };
}

/** The write that completes a claimed chunk, named `chunk`. Its condition fails when another worker has completed the chunk. */
export function completeChunk(
  workspaceId: WorkspaceId,
  id: EmailId,
  before: SubmissionChunk,
  completed: SubmissionChunk,
): Write {
  return { as: 'chunk', put: chunkItem(workspaceId, id, completed), ...isClaimed(before) };
}

/**
 * The write that releases a claim after SES has certainly taken nothing, named `chunk`. Where an earlier attempt is
 * unconfirmed, the claim stays for that attempt's event to complete, and the next attempt need not wait.
 */
export function releaseChunk(workspaceId: WorkspaceId, id: EmailId, before: SubmissionChunk): Write {
  const condition = isClaimed(before);
  if (before.attempt > 1) {
    return { as: 'chunk', put: chunkItem(workspaceId, id, { ...before, claimedAt: 0 }), ...condition };
  }
  return { as: 'chunk', delete: keys.chunkKey(workspaceId, id, before.number), ...condition };
}

/**
 * The write that notes on a claim what the provider of a mailbox answered, named `chunk`.
 *
 * @param held.claimedAt 0: it has certainly not been sent, and the next attempt need not wait for it or look for it
 */
export function holdChunk(
  workspaceId: WorkspaceId,
  id: EmailId,
  before: SubmissionChunk,
  held: Pick<SubmissionChunk, 'reason' | 'claimedAt'>,
): Write {
  return { as: 'chunk', put: chunkItem(workspaceId, id, { ...before, ...held }), ...isClaimed(before) };
}

function chunkItem(workspaceId: WorkspaceId, id: EmailId, chunk: SubmissionChunk): Item {
  return { ...keys.chunkKey(workspaceId, id, chunk.number), ...chunkCodec.encode(chunk) };
}

function isClaimed({ attempt }: SubmissionChunk) {
  return expressionsOf({}, { equal: { state: 'claimed', attempt } });
}
