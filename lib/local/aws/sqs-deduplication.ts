/** Deduplication of sends to a FIFO queue (SQS developer guide, "Using the message deduplication ID"). */
import { createHash } from 'node:crypto';
import type { MessageInput, QueueSettings, SentMessage } from './sqs-types.ts';

export interface Deduplication {
  /** The deduplication id of a send: given, or the digest of the body. */
  idOf(input: MessageInput): string | undefined;
  /** The send with the same deduplication id within the interval. */
  find(input: MessageInput, nowMs: number): SentMessage | undefined;
  remember(input: MessageInput, sent: SentMessage, nowMs: number): void;
}

/** Deduplication interval (SQS quotas). */
const intervalMs = 300_000;

export function createDeduplication(settings: QueueSettings): Deduplication {
  /** Oldest first. */
  const sends = new Map<string, SentMessage & { readonly at: number }>();

  function idOf({ deduplicationId, body }: MessageInput): string | undefined {
    if (deduplicationId !== undefined || !settings.contentBasedDeduplication) return deduplicationId;
    return createHash('sha256').update(body).digest('hex');
  }

  function keyOf(input: MessageInput): string | undefined {
    const id = idOf(input);
    return id !== undefined && settings.deduplicationScope === 'messageGroup' ? `${input.groupId} ${id}` : id;
  }

  return {
    idOf,
    find(input, nowMs) {
      for (const [key, { at }] of sends) {
        if (at + intervalMs > nowMs) break;
        sends.delete(key);
      }
      const key = keyOf(input);
      return key === undefined ? undefined : sends.get(key);
    },
    remember(input, sent, nowMs) {
      const key = keyOf(input);
      if (key !== undefined) sends.set(key, { ...sent, at: nowMs });
    },
  };
}
