/** Whom a send must not reach (contract, section 5): asked when it is accepted, and again when it is handed off. */
import type { SuppressionId, WorkspaceId } from '../../core/ids.ts';
import type { SuppressionTerms } from '../../core/suppression.ts';
import { findBlocked } from '../../storage/suppressions.ts';

/** An envelope, parted. */
export interface RecipientSplit {
  readonly allowed: readonly string[];
  readonly suppressed: readonly string[];
  /** What is in the way of those. */
  readonly suppressions: readonly SuppressionId[];
}

/** Parts the recipients of a send in one batch read. */
export async function splitSuppressed(
  workspaceId: WorkspaceId,
  terms: SuppressionTerms,
  envelope: readonly string[],
): Promise<RecipientSplit> {
  const blocked = await findBlocked(workspaceId, terms, envelope);
  return {
    allowed: envelope.filter((address) => !blocked.has(address)),
    suppressed: envelope.filter((address) => blocked.has(address)),
    suppressions: [...blocked.values()].flat(),
  };
}
