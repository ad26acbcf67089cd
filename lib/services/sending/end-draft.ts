/** Drafts that end without approval: discarded on request, or expired (docs/concepts/drafts.md#the-end-of-a-draft). */
import { now } from '../../adapters/clock.ts';
import { canceledDraft, type Draft, expiryOf, isExpired } from '../../core/emails/draft.ts';
import type { Cancellation, EmailHead } from '../../core/emails/email.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import type { ExpireDraft } from '../../core/queue-messages.ts';
import { endDraft, findDraft, listEndedDraft } from '../../storage/emails/drafts.ts';
import { createHead, findEmail } from '../../storage/emails/email-heads.ts';
import { commitIfUnchanged } from '../../storage/table/transactions.ts';
import { newEvent } from '../events/new-event.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import type { Requester } from './accept-email.ts';

/** Cancels a draft; the canceled email, or null where the draft changed meanwhile. */
async function cancelDraft(
  workspaceId: WorkspaceId,
  draft: Draft,
  cancellation: Cancellation,
): Promise<EmailHead | null> {
  const email = canceledDraft(draft, cancellation);
  const event = newEvent(workspaceId, 'email.canceled', now(), { emailId: draft.id });
  const isCommitted = await commitIfUnchanged(
    workspaceId,
    [...endDraft(workspaceId, draft), createHead(workspaceId, email), listEndedDraft(workspaceId, draft)],
    [{ message: event }],
  );
  return isCommitted ? email : null;
}

/** Discards a draft; null where the email is no draft. */
export async function discardDraft(
  { workspaceId, actor }: Requester,
  id: EmailId,
): Promise<EmailHead | null> {
  return await retryOnConflict(`draft ${id}`, async () => {
    const draft = await findOpenDraft(workspaceId, id);
    if (!draft) return null;
    const cancellation = { reason: 'discarded', at: now(), by: actor, byEmailId: null } as const;
    return (await cancelDraft(workspaceId, draft, cancellation)) ?? conflict;
  });
}

/** Processes an `expire-draft` message. Idempotent. */
export async function expireDraft({ workspaceId, emailId }: ExpireDraft): Promise<void> {
  await findOpenDraft(workspaceId, emailId);
}

/** A draft that may still be approved, or null: one that has expired is canceled now, whatever its timer does. */
export async function findOpenDraft(workspaceId: WorkspaceId, id: EmailId): Promise<Draft | null> {
  return await retryOnConflict(`draft ${id}`, async () => {
    const draft = await findDraft(workspaceId, id);
    if (!draft || !isExpired(draft, now())) return draft;
    return (await cancelDraft(workspaceId, draft, expiryOf(draft))) ? null : conflict;
  });
}

/** What becomes of a request that changes or approves what is no draft. @throws Problem not_found, not_draft */
export async function refuseNoDraft(workspaceId: WorkspaceId, id: EmailId): Promise<never> {
  const email = await findEmail(workspaceId, id);
  if (!email) throw new Problem('not_found', 'The email does not exist.');
  throw new Problem('not_draft', `The email is ${email.status}, not a draft.`);
}

/** @param version that a request has seen; null: it takes any. @throws Problem draft_changed */
export function checkVersion({ revision }: Pick<Draft, 'revision'>, version: number | null): void {
  if (version === null || version === revision) return;
  throw new Problem(
    'draft_changed',
    `The draft has version ${revision}; the request is for version ${version}.`,
  );
}
