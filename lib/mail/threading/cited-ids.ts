/** The Message-IDs that a message cites, bounded for look-ups. Apart from the joining of threads, so that readers load no more. */

export interface CitingMessage {
  /** Message-IDs with angle brackets. */
  readonly inReplyTo: readonly string[];
  /** Oldest first. */
  readonly references: readonly string[];
}

/** Most ids looked up for one message. */
export const candidateIdsMax = 100;
const inReplyToMax = 10;
/** First ids kept of a long chain: they include our own id if we began the conversation. */
const chainRootsKept = 20;

/** The Message-IDs to look up, in order of precedence: In-Reply-To, then References from last to first. */
export function candidateIds(message: CitingMessage): string[] {
  return [...new Set([...inReplyToIds(message), ...referenceIds(message)])];
}

/** The looked-up ids of In-Reply-To, in its order. */
export function inReplyToIds({ inReplyTo }: Pick<CitingMessage, 'inReplyTo'>): string[] {
  return inReplyTo.slice(0, inReplyToMax);
}

/** The looked-up ids of References, last first. */
export function referenceIds({ references }: Pick<CitingMessage, 'references'>): string[] {
  const most = candidateIdsMax - inReplyToMax;
  const kept =
    references.length <= most
      ? references
      : [...references.slice(0, chainRootsKept), ...references.slice(chainRootsKept - most)];
  return kept.toReversed();
}
