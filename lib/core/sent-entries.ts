/**
 * `sent` entries of a history. Each is made of an accepted chunk alone (docs/decisions/0056-the-chunk-is-the-completion.md), so that
 * that of an only chunk is not stored (docs/decisions/0059-the-head-announces-that-it-is-sent.md).
 */
import {
  type EmailHead,
  type EmailProgress,
  type HistoryEntry,
  type HistoryEntryId,
  historyEntryId,
  isInSubmission,
  wireMessageIds,
} from './email.ts';
import { wireMessageId } from './mail/message-ids.ts';
import type { SubmissionChunk } from './submission.ts';

/** What follows from an accepted chunk. */
export interface SentEntry {
  readonly chunk: SubmissionChunk;
  readonly id: HistoryEntryId;
  readonly entry: HistoryEntry;
  /** The Message-ID that recipients see. */
  readonly messageId: string;
}

/** The Message-ID that recipients of an accepted chunk see; null for any other chunk. */
export function messageIdOfAccepted({ region, providerId, messageId }: SubmissionChunk): string | null {
  return providerId === null ? null : (messageId ?? wireMessageId(region, providerId));
}

/** The `sent` entry of an accepted chunk; null for any other. Whoever makes it makes the same one, with the same id. */
export function sentEntryOf(chunk: SubmissionChunk): SentEntry | null {
  const { providerId, recipients, completedAt: at } = chunk;
  const messageId = messageIdOfAccepted(chunk);
  if (messageId === null || at === null) return null;
  const id = historyEntryId(at, `sent ${providerId}`);
  return { chunk, id, entry: { type: 'sent', at, recipients, detail: messageId }, messageId };
}

/** An entry of a history, with its id. */
export interface StoredEntry {
  readonly id: HistoryEntryId;
  readonly entry: HistoryEntry;
}

/** The history of an email, oldest first: the stored entries, and that of an only chunk once the email is sent. */
export function historyOf(
  head: Pick<EmailHead, 'status'>,
  chunks: readonly SubmissionChunk[],
  stored: readonly StoredEntry[],
): HistoryEntry[] {
  const [only] = chunks;
  const sent = only?.of === 1 && !isInSubmission(head) ? sentEntryOf(only) : null;
  // Before decision 59, all were stored.
  const all = sent && !stored.some(({ id }) => id === sent.id) ? [...stored, sent] : stored;
  return all.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ entry }) => entry);
}

/**
 * What is left to write of accepted chunks. What follows from an only chunk ends with the status of its email; from one of
 * several, with its entry.
 */
export function missingSentEntries({ head, chunks, history }: EmailProgress): SentEntry[] {
  const recorded = new Set(wireMessageIds(history));
  return chunks.flatMap((chunk) => {
    const sent = sentEntryOf(chunk);
    const isMissing = chunk.of === 1 ? isInSubmission(head) : sent && !recorded.has(sent.messageId);
    return sent && isMissing ? [sent] : [];
  });
}
