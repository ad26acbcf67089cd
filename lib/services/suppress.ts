/** Whom a send must not reach (contract, section 5): asked when it is accepted, and again when it is handed off. */
import type { SuppressionId, WorkspaceId } from '../domain/ids.ts';
import type { SendingTerms } from '../domain/suppression.ts';
import { findBlocked } from '../storage/suppressions.ts';

/** An envelope, parted. */
export interface Reach {
  readonly reached: readonly string[];
  readonly suppressed: readonly string[];
  /** What is in the way of those. */
  readonly suppressions: readonly SuppressionId[];
}

/** Parts the recipients of a send in one batch read. */
export async function reachOf(
  workspaceId: WorkspaceId,
  terms: SendingTerms,
  envelope: readonly string[],
): Promise<Reach> {
  const blocked = await findBlocked(workspaceId, terms, envelope);
  return {
    reached: envelope.filter((address) => !blocked.has(address)),
    suppressed: envelope.filter((address) => blocked.has(address)),
    suppressions: [...blocked.values()].flat(),
  };
}
