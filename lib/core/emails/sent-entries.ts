/** `sent` entries of a history. Each is made of an accepted chunk alone (docs/decisions/0056-the-chunk-is-the-completion.md). */
import {
  type EmailProgress,
  type HistoryEntry,
  type HistoryEntryId,
  historyEntryId,
  wireMessageIds,
} from './email.ts';
import { wireMessageId } from './message-ids.ts';
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

/** The `sent` entries that the history of an email lacks. What follows from a chunk ends with its entry. */
export function missingSentEntries({
  chunks,
  history,
}: Pick<EmailProgress, 'chunks' | 'history'>): SentEntry[] {
  const recorded = new Set(wireMessageIds(history));
  return chunks.flatMap((chunk) => {
    const sent = sentEntryOf(chunk);
    return sent && !recorded.has(sent.messageId) ? [sent] : [];
  });
}

/** Reports of what became of a message for its recipients. */
const outcomes: ReadonlySet<HistoryEntry['type']> = new Set([
  'delivered',
  'delayed',
  'bounced',
  'complained',
]);

/**
 * The history in order. SES's answer to a submission may come after the first report on it, or never: what is reported
 * was accepted by then, so that `sent` has the time of that report at the latest.
 *
 * @param createdAt Unix milliseconds; no report is older than the email
 */
export function historyInOrder(history: readonly HistoryEntry[], createdAt: number): HistoryEntry[] {
  const firstReports = new Map<string, number>();
  for (const { type, at, recipients } of history) {
    if (!outcomes.has(type)) continue;
    for (const address of recipients) {
      firstReports.set(address, Math.max(createdAt, Math.min(at, firstReports.get(address) ?? at)));
    }
  }
  return history
    .map((entry) =>
      entry.type === 'sent'
        ? {
            ...entry,
            at: earliest(
              entry.at,
              entry.recipients.map((address) => firstReports.get(address)),
            ),
          }
        : entry,
    )
    .sort((a, b) => a.at - b.at || Number(b.type === 'sent') - Number(a.type === 'sent'));
}

function earliest(at: number, others: readonly (number | undefined)[]): number {
  return others.reduce<number>((least, other) => Math.min(least, other ?? least), at);
}
