/** A submission chunk: the recipients of one SES call (at most 50, "SendEmail" in the SES API reference), and its outcome. */

export interface SubmissionChunk {
  /** From 0. */
  readonly number: number;
  /** Number of chunks of the email. */
  readonly of: number;
  /** Envelope recipients. */
  readonly recipients: readonly string[];
  /** `claimed`: a worker may have called SES; only SES's response or event completes the chunk. */
  readonly state: 'claimed' | 'accepted' | 'refused';
  /** Number of claims so far. */
  readonly attempt: number;
  /** Unix milliseconds. */
  readonly claimedAt: number;
  /** SES region of the call. */
  readonly region: string;
  /** SES's message id, once accepted. */
  readonly providerId: string | null;
  /** The Message-ID that recipients see; null: the one that SES writes. */
  readonly messageId: string | null;
  /** Why SES refused it. */
  readonly reason: string | null;
  /** Unix milliseconds; null while it is claimed. */
  readonly completedAt: number | null;
}

/**
 * The time of a claim that a restore of the table has made: whether the provider was called is not known, and the call is not
 * repeated. Only the provider's report completes the chunk, or the operator says that it is to be sent (docs/restoring.md).
 */
export const claimedByRestore = Number.MAX_SAFE_INTEGER;

/** A claim without an outcome. */
export function newClaim(
  claim: Pick<SubmissionChunk, 'number' | 'of' | 'recipients' | 'attempt' | 'claimedAt' | 'region'>,
): SubmissionChunk {
  return { ...claim, state: 'claimed', providerId: null, messageId: null, reason: null, completedAt: null };
}
