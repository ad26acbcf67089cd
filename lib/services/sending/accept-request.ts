/** What a request to send becomes: an email, a draft, or a replay whose sender can send no more (docs/concepts/idempotency.md#when-the-key-is-checked). */
import { maySend } from '../../core/access/access.ts';
import { type EmailId, parseId, type SpaceId, type ThreadId, type WorkspaceId } from '../../core/ids.ts';
import { findEmail } from '../../storage/emails/email-heads.ts';
import { findIdempotencyKey, type UsedKey } from '../../storage/emails/idempotency.ts';
import { findThread } from '../../storage/threads/threads.ts';
import { type AcceptedEmail, acceptEmail, type Requester, replay } from './accept-email.ts';
import type { Idempotency } from './idempotency.ts';
import type { ConversationContext, OutgoingEmail } from './outgoing-email.ts';
import { SenderRefused } from './resolve-sender.ts';

/**
 * Accepts an email, or stores it as a draft (docs/concepts/drafts.md).
 *
 * @param isDraft whether the request asks for a draft; a requester that may not send makes drafts only
 * @throws Problem as `acceptEmail`
 */
export async function acceptOrDraft(
  requester: Requester,
  outgoing: OutgoingEmail,
  continued: ConversationContext | null,
  { isDraft, idempotency }: { readonly isDraft: boolean; readonly idempotency: Idempotency | null },
): Promise<AcceptedEmail> {
  if (!isDraft && maySend(requester.scope))
    return await acceptEmail(requester, outgoing, continued, idempotency);
  // Few emails are drafts: their code is not loaded.
  const { storeDraft } = await import('./store-draft.ts');
  return await storeDraft(requester, outgoing, continued, idempotency);
}

/**
 * Accepts an email; where its sender is refused, answers the email that the same request created before. The space of that
 * email is the one of its thread, or one that the sender's address still tells.
 *
 * @param named the thread or the email that the request names
 * @throws SenderRefused where there is no such email
 */
export async function acceptOrReplay(
  workspaceId: WorkspaceId,
  idempotency: Idempotency | null,
  named: ThreadId | EmailId | null,
  accept: () => Promise<AcceptedEmail>,
): Promise<AcceptedEmail> {
  try {
    return await accept();
  } catch (error) {
    const used = await findRefused(workspaceId, idempotency, named, error);
    if (!used || !idempotency) throw error;
    return await replay(workspaceId, used, idempotency);
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
