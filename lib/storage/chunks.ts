/**
 * Hand-off chunks: SES takes 50 recipients a call, and each call is claimed before it is made and settled after it.
 * A chunk that is claimed but not settled is the one state in which nobody knows whether the mail went out.
 */
import type { EmailId, WorkspaceId } from '../core/ids.ts';
import * as keys from './keys.ts';
import { absent, type Item, type Write } from './table.ts';

export interface Chunk {
  readonly number: number;
  /** How many chunks the email has. */
  readonly of: number;
  /** Envelope recipients of this one. */
  readonly recipients: readonly string[];
  readonly state: 'claimed' | 'accepted' | 'refused';
  /** Counts the claims. */
  readonly attempt: number;
  readonly claimedAt: number;
  /** Where it was handed to SES. */
  readonly region: string;
  readonly providerId: string | null;
  readonly reason: string | null;
}

export function chunk(item: Item): Chunk {
  return {
    number: Number(item.sk.slice(keys.chunkPrefix.length)),
    of: item.of as number,
    recipients: item.recipients as string[],
    state: item.state as Chunk['state'],
    attempt: item.attempt as number,
    claimedAt: item.claimedAt as number,
    region: item.region as string,
    providerId: (item.providerId as string | null | undefined) ?? null,
    reason: (item.reason as string | null | undefined) ?? null,
  };
}

/**
 * The write that claims a chunk, named `chunk`: it fails where another claim was first.
 *
 * @param before the claim that is given up, null where the chunk has none
 */
export function claimChunk(workspaceId: WorkspaceId, id: EmailId, claim: Chunk, before: Chunk | null): Write {
  return { as: 'chunk', put: chunkItem(workspaceId, id, claim), ...(before ? claimedAs(before) : absent) };
}

function chunkItem(workspaceId: WorkspaceId, id: EmailId, { number, ...attributes }: Chunk): Item {
  return { ...keys.chunkKey(workspaceId, id, number), ...attributes };
}

/** The write that settles a claimed chunk, named `chunk`. */
export function completeChunk(
  workspaceId: WorkspaceId,
  id: EmailId,
  before: Chunk,
  settled: { state: 'accepted'; providerId: string } | { state: 'refused'; reason: string },
): Write {
  return { as: 'chunk', put: chunkItem(workspaceId, id, { ...before, ...settled }), ...claimedAs(before) };
}

/**
 * The write that gives a claim back after SES said for certain that it took nothing, named `chunk`. Where there was an
 * earlier try, of which nobody knows, the claim stays for its report to settle, and the next try need not wait.
 */
export function releaseChunk(workspaceId: WorkspaceId, id: EmailId, before: Chunk): Write {
  const condition = claimedAs(before);
  if (before.attempt > 1) {
    return { as: 'chunk', put: chunkItem(workspaceId, id, { ...before, claimedAt: 0 }), ...condition };
  }
  return { as: 'chunk', delete: keys.chunkKey(workspaceId, id, before.number), ...condition };
}

function claimedAs(before: Chunk) {
  return {
    ConditionExpression: '#state = :claimed AND attempt = :attempt',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':claimed': 'claimed', ':attempt': before.attempt },
  };
}
