/** Replays of emails whose sender can send no more (docs/concepts/idempotency.md#when-the-key-is-checked). */
import type { ThreadId, WorkspaceId } from '../../core/ids.ts';
import { findIdempotencyKey } from '../../storage/idempotency.ts';
import { findThread } from '../../storage/threads.ts';
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
  try {
    return await accept();
  } catch (error) {
    if (!(error instanceof SenderRefused && idempotency)) throw error;
    const thread = threadId && (await findThread(workspaceId, threadId));
    const spaces = new Set([...error.spaces, ...(thread ? [thread.spaceId] : [])]);
    const found = await Promise.all(
      [...spaces].map((spaceId) => findIdempotencyKey(workspaceId, spaceId, idempotency.key)),
    );
    // With another body it may be a key of another space.
    const used = found.find((one) => one?.hash === idempotency.hash);
    if (!used) throw error;
    return await replay(workspaceId, used, idempotency);
  }
}
