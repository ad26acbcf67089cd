/** `Idempotency-Key`: its validation, and the hash of the request (docs/concepts/idempotency.md). */
import { createHash } from 'node:crypto';
import type { RequestedAttachment } from '../../core/attachments/requested-attachment.ts';
import type { EmailId, ThreadId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { Problem } from '../../core/problems.ts';

/** An `Idempotency-Key` with the hash of its request. */
export interface Idempotency {
  readonly key: string;
  /** Hash over the canonical body, and what the path names. */
  readonly hash: string;
}

/**
 * The `Idempotency-Key` of a request; null where it has none. The hash is over the validated body and, for replies and
 * forwards, the thread or email of the path. The order of fields and the spelling of addresses do not matter; an absent field equals its default,
 * null, an empty list and an empty body text (docs/concepts/idempotency.md#what-counts-as-the-same-body).
 *
 * @throws Problem invalid_idempotency_key
 */
export function idempotencyOf(
  key: string | undefined,
  body: { readonly attachments?: readonly RequestedAttachment[] | undefined },
  named: ThreadId | EmailId | null,
): Idempotency | null {
  if (key === undefined) return null;
  if (key.length < 1 || key.length > limits.idempotencyKeyCharacters) {
    throw new Problem(
      'invalid_idempotency_key',
      `An Idempotency-Key has 1 to ${limits.idempotencyKeyCharacters} characters.`,
    );
  }
  const files = body.attachments?.map((file) =>
    'content' in file ? { ...file, content: sha256(file.content) } : file,
  );
  // Stored hashes have the name `threadId`.
  return { key, hash: sha256(canonical({ ...body, attachments: files, threadId: named })) };
}

/**
 * The same of a request of version 1. Both versions share their keys, and a request of one is never that of the other.
 *
 * @param named the thread or email of the path; of a send, the thread of its body
 */
export function v1IdempotencyOf(
  key: string | undefined,
  body: Parameters<typeof idempotencyOf>[1],
  named: ThreadId | EmailId | null,
): Idempotency | null {
  const ofVersion1 = { ...body, version: 1 };
  return idempotencyOf(key, ofVersion1, named);
}

/** @throws Problem idempotency_key_reused where a key was used with another request */
export function checkSameRequest(used: Pick<Idempotency, 'hash'>, { hash }: Idempotency): void {
  if (used.hash === hash) return;
  throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used with another request.');
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([name, field]) => !isAbsent(name, field))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : inner,
  );
}

function isAbsent(name: string, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return value === '' && bodyTexts.has(name);
}

const bodyTexts: ReadonlySet<string> = new Set(['html', 'text', 'note']);
