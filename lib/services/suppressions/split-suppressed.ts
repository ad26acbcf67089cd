/** Splits recipients by suppression: when an email is accepted, and again before each submission. */
import type { SuppressionId, WorkspaceId } from '../../core/ids.ts';
import type { SuppressionTerms } from '../../core/suppression.ts';
import { findBlocked } from '../../storage/suppressions.ts';

export interface RecipientSplit {
  readonly allowed: readonly string[];
  readonly suppressed: readonly string[];
  /** The suppressions that block the suppressed ones. */
  readonly suppressions: readonly SuppressionId[];
}

/** Splits the recipients of a send, in one batch read. */
export async function splitSuppressed(
  workspaceId: WorkspaceId,
  terms: SuppressionTerms,
  recipients: readonly string[],
): Promise<RecipientSplit> {
  const blocked = await findBlocked(workspaceId, terms, recipients);
  return {
    allowed: recipients.filter((address) => !blocked.has(address)),
    suppressed: recipients.filter((address) => blocked.has(address)),
    suppressions: [...blocked.values()].flat(),
  };
}
