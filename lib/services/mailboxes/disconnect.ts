/** Disconnection of a mailbox, and the end of its authorization (docs/concepts/mailboxes.md#disconnecting). */

import { now } from '../../adapters/clock.ts';
import { newToken } from '../../adapters/ids.ts';
import { providerAuthorization } from '../../adapters/mailbox-providers/index.ts';
import { random } from '../../adapters/random.ts';
import type { Actor } from '../../core/access/api-key.ts';
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import type { SealedTokens } from '../../core/mailboxes/credentials.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import { ProviderError } from '../../core/mailboxes/provider.ts';
import type { RevokeMailbox } from '../../core/queue-messages.ts';
import { retryDelaySeconds } from '../../core/work/retry-backoff.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import {
  acquireCredentials,
  findCredentials,
  releaseCredentials,
} from '../../storage/mailboxes/mailbox-credentials.ts';
import { listPushedMailboxes } from '../../storage/mailboxes/mailbox-syncs.ts';
import { changeMailboxState, destroyCredentials, findMailbox } from '../../storage/mailboxes/mailboxes.ts';
import { findFirstWaiting } from '../../storage/mailboxes/waiting-submissions.ts';
import { commit } from '../../storage/table/transactions.ts';
import { removeMailbox } from '../../storage/teardown/teardown-mailboxes.ts';
import { newEvent } from '../events/new-event.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { submitMailboxMessage } from '../sending/submission-messages.ts';
import { endPushes } from './end-pushes.ts';
import { getMailbox } from './mailboxes.ts';
import { oauthClientOf } from './oauth-client.ts';
import { openToken } from './sealed-tokens.ts';

/** Disconnects a mailbox; one that is disconnected stays as it is. @throws Problem not_found */
export async function disconnectMailbox(
  workspaceId: WorkspaceId,
  id: MailboxId,
  actor: Actor,
): Promise<Mailbox> {
  return await retryOnConflict(`mailbox ${id}`, async () => {
    const before = await getMailbox(workspaceId, id);
    if (before.state === 'disconnected') return before;
    const at = now();
    const after: Mailbox = {
      ...before,
      state: 'disconnected',
      stateReason: 'The workspace has disconnected it.',
      revision: before.revision + 1,
    };
    const audit: AuditEntry = { at, actor, action: 'mailbox.disconnected', subject: id };
    const messages = [
      { message: newEvent(workspaceId, 'mailbox.disconnected', at, { mailboxId: id }) },
      { message: revokeMessage(workspaceId, after, 0) },
    ];
    if (!(await changeMailboxState(workspaceId, before, after, { messages, audit }))) return conflict;
    count('MailboxesDisconnected', workspaceId);
    return after;
  });
}

function revokeMessage(workspaceId: WorkspaceId, mailbox: Mailbox, tries: number): RevokeMailbox {
  const { id: mailboxId, revision } = mailbox;
  return { kind: 'revoke-mailbox', v: 1, workspaceId, mailboxId, revision, tries };
}

/** Together two hours; a provider that does not answer is not waited for longer. */
const triesMax = 14;
/** Longer than the calls of a revocation take with their time limits. */
const revokeLeaseMs = 60_000;

/**
 * Processes a message of a disconnection: revokes the authorization, then destroys the credentials. Nothing where the mailbox
 * was connected again. Idempotent.
 *
 * The lease of the credentials is held meanwhile: a revocation at Google ends every authorization of the account, hence that
 * of a connection that is made beside it, which is refused.
 */
export async function revokeMailbox(message: RevokeMailbox): Promise<void> {
  const { workspaceId, mailboxId, revision, tries } = message;
  const token = newToken(16);
  const lease = { token, until: now() + revokeLeaseMs };
  const tokens = await acquireCredentials(workspaceId, mailboxId, lease, now());
  // Under the lease: a connection that was made before is seen, and none can be made.
  const mailbox = await findMailbox(workspaceId, mailboxId);
  const release = async () => {
    if (tokens) await releaseCredentials(workspaceId, mailboxId, token, null);
  };
  if (mailbox?.state !== 'disconnected' || mailbox.revision !== revision) return await release();
  await callFirstSubmission(workspaceId, mailboxId);
  const failure = await failureOf(async () => {
    if (tokens) return await revoke(workspaceId, mailbox, tokens);
    if (!(await findCredentials(workspaceId, mailboxId))) return;
    throw new ProviderError('network', 'Another function has the lease of the authorization.');
  });
  if (failure && isWorthARetry(failure) && tries < triesMax) {
    const waitMs = failure.retryAfterMs ?? 1000 * retryDelaySeconds(tries + 1, random());
    const again = revokeMessage(workspaceId, mailbox, tries + 1);
    await commit(workspaceId, [], [{ message: again, dueAt: now() + waitMs }]);
    return await release();
  }
  if (failure) logNotRevoked(workspaceId, mailboxId, failure);
  // The lease ends with them.
  await destroyCredentials(workspaceId, mailbox);
}

/** What waits for its provider fails now: its own message may come hours later. Whoever ends calls the next. */
async function callFirstSubmission(workspaceId: WorkspaceId, mailboxId: MailboxId): Promise<void> {
  const first = await findFirstWaiting(workspaceId, mailboxId);
  if (!first) return;
  await commit(workspaceId, [], [{ message: submitMailboxMessage(workspaceId, first.emailId, first.chunk) }]);
}

const isWorthARetry = ({ kind }: ProviderError): boolean => kind !== 'refused' && kind !== 'unauthorized';

async function failureOf(work: () => Promise<void>): Promise<ProviderError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
}

function logNotRevoked(workspaceId: WorkspaceId, mailboxId: MailboxId, failure: ProviderError): void {
  const { kind: cause, message: reason } = failure;
  logEvent('mailbox.not_revoked', { workspace_id: workspaceId, mailbox_id: mailboxId, cause, reason });
}

/** Removes a mailbox of a deleted space or an erased workspace; its authorization is revoked if the provider answers. */
export async function removeConnectedMailbox(workspaceId: WorkspaceId, mailbox: Mailbox): Promise<void> {
  const failure = await failureOf(async () => {
    const tokens = await findCredentials(workspaceId, mailbox.id);
    if (tokens) await revoke(workspaceId, mailbox, tokens);
  });
  if (failure) logNotRevoked(workspaceId, mailbox.id, failure);
  await removeMailbox(workspaceId, mailbox);
}

/** Revokes the authorization of a mailbox at its provider. @throws ProviderError */
async function revoke(workspaceId: WorkspaceId, mailbox: Mailbox, tokens: SealedTokens): Promise<void> {
  if (await isSharedElsewhere(workspaceId, mailbox)) return;
  await endPushes(workspaceId, mailbox, tokens);
  const [authorization, client, refreshToken] = await Promise.all([
    providerAuthorization(mailbox.provider),
    oauthClientOf(workspaceId, mailbox),
    openToken(workspaceId, tokens.refreshToken),
  ]);
  await authorization.revoke(client, refreshToken);
}

/**
 * Whether another workspace has connected the account through the same shared app: a revocation at Google would end that
 * authorization and its pushes, too. The last of them to go is revoked.
 */
async function isSharedElsewhere(workspaceId: WorkspaceId, { appId, address }: Mailbox): Promise<boolean> {
  if (appId !== null) return false;
  for (const other of await listPushedMailboxes(null, address)) {
    if (other.workspaceId === workspaceId) continue;
    const mailbox = await findMailbox(other.workspaceId, other.mailboxId);
    if (mailbox?.state === 'active' && mailbox.appId === null) return true;
  }
  return false;
}
