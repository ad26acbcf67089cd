/** Splits recipients by suppression: when an email is accepted, and again before each submission. */
import type { WorkspaceId } from '../../core/ids.ts';
import type { Blocking, SuppressionTerms } from '../../core/suppressions/suppression.ts';
import { findBlocked } from '../../storage/sending/suppression-checks.ts';

export interface RecipientSplit {
  readonly allowed: readonly string[];
  readonly suppressed: readonly string[];
  /** Why: one for each list that a suppressed recipient is on. */
  readonly blocking: readonly Blocking[];
}

/** Splits the recipients of a send, in one batch read. */
export async function splitSuppressed(
  workspaceId: WorkspaceId,
  terms: SuppressionTerms,
  recipients: readonly string[],
): Promise<RecipientSplit> {
  const blocking = await findBlocked(workspaceId, terms, recipients);
  const blocked = new Set(blocking.map(({ address }) => address));
  return {
    allowed: recipients.filter((address) => !blocked.has(address)),
    suppressed: recipients.filter((address) => blocked.has(address)),
    blocking,
  };
}
