/** Replays of emails whose sender can send no more (docs/concepts/idempotency.md#when-the-key-is-checked). */
import { type EmailId, parseId, type SpaceId, type ThreadId, type WorkspaceId } from '../../core/ids.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';
import { findIdempotencyKey, type UsedKey } from '../../storage/emails/idempotency.ts';
import { findThread } from '../../storage/threads/threads.ts';
import { type AcceptedEmail, replay } from './accept-email.ts';
import type { Idempotency } from './idempotency.ts';
import { SenderRefused } from './resolve-sender.ts';

/**
 * Accepts an email; where its sender is refused, answers the email that the same request created before. The space of that
 * email is the one of its thread, or one that the sender's address still tells.
 *
 * @param threadId the thread that the request names
 * @throws SenderRefused where there is no such email
 */
export async function acceptOrReplay(
  workspaceId: WorkspaceId,
  idempotency: Idempotency | null,
  threadId: ThreadId | null,
  accept: () => Promise<AcceptedEmail>,
): Promise<AcceptedEmail> {
  return await orReplay(workspaceId, { idempotency, named: threadId }, accept, replay);
}

/**
 * The same for whatever a request creates.
 *
 * @param request.named the thread or the email that it names
 * @param answer what a use of the key has created
 */
export async function orReplay<T>(
  workspaceId: WorkspaceId,
  request: { readonly idempotency: Idempotency | null; readonly named: ThreadId | EmailId | null },
  create: () => Promise<T>,
  answer: (workspaceId: WorkspaceId, used: UsedKey, idempotency: Idempotency) => Promise<T>,
): Promise<T> {
  try {
    return await create();
  } catch (error) {
    const { idempotency, named } = request;
    const used = await findRefused(workspaceId, idempotency, named, error);
    if (!used || !idempotency) throw error;
    return await answer(workspaceId, used, idempotency);
  }
}

/** The use of a key by the same request; null where there is none, or the error does not refuse the sender. */
async function findRefused(
  workspaceId: WorkspaceId,
  idempotency: Idempotency | null,
  named: ThreadId | EmailId | null,
  error: unknown,
): Promise<UsedKey | null> {
  if (!(error instanceof SenderRefused && idempotency)) return null;
  const place = named && (await findNamed(workspaceId, named));
  const spaces = new Set([...error.spaces, ...(place ? [place.spaceId] : [])]);
  const found = await Promise.all(
    [...spaces].map((spaceId) => findIdempotencyKey(workspaceId, spaceId, idempotency.key)),
  );
  // With another body it may be a key of another space.
  return found.find((one) => one?.hash === idempotency.hash) ?? null;
}

async function findNamed(
  workspaceId: WorkspaceId,
  named: ThreadId | EmailId,
): Promise<{ readonly spaceId: SpaceId | null } | null> {
  const threadId = parseId('thr', named);
  if (threadId) return await findThread(workspaceId, threadId);
  const emailId = parseId('eml', named);
  return emailId && (await findEmail(workspaceId, emailId));
}
