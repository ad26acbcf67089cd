/** Disconnection of a mailbox, and the end of its authorization (docs/concepts/mailboxes.md#disconnecting). */
import { now } from '../../adapters/clock.ts';
import { providerAuthorization } from '../../adapters/mailbox-providers/index.ts';
import { random } from '../../adapters/random.ts';
import type { AuditEntry } from '../../core/audit.ts';
import type { KeyId, MailboxId, WorkspaceId } from '../../core/ids.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import { ProviderError } from '../../core/mailboxes/provider.ts';
import type { RevokeMailbox } from '../../core/queue-messages.ts';
import { retryDelaySeconds } from '../../core/retry-backoff.ts';
import { count } from '../../observability/count.ts';
import { logEvent } from '../../observability/log.ts';
import { findCredentials } from '../../storage/mailbox-credentials.ts';
import { changeMailboxState, destroyCredentials, findMailbox } from '../../storage/mailboxes.ts';
import { removeMailbox } from '../../storage/teardown-mailboxes.ts';
import { commit } from '../../storage/transactions.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { newEvent } from '../webhooks/new-event.ts';
import { endPushes } from './end-sync.ts';
import { getMailbox } from './mailboxes.ts';
import { oauthClientOf } from './oauth-client.ts';
import { openToken } from './sealed-tokens.ts';

/** Disconnects a mailbox; one that is disconnected stays as it is. @throws Problem not_found */
export async function disconnectMailbox(
  workspaceId: WorkspaceId,
  id: MailboxId,
  actor: KeyId,
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
    if (!(await changeMailboxState(workspaceId, before, after, messages, audit))) return conflict;
    count('MailboxesDisconnected', workspaceId);
    return after;
  });
}

function revokeMessage(workspaceId: WorkspaceId, mailbox: Mailbox, tries: number): RevokeMailbox {
  const { id: mailboxId, revision } = mailbox;
  return { kind: 'revoke-mailbox', v: 1, workspaceId, mailboxId, revision, tries };
}

/** Together two hours; a provider that does not answer for longer is not waited for. */
const triesMax = 14;

/**
 * Processes a message of a disconnection: revokes the authorization, then destroys the credentials. Nothing where the mailbox
 * was connected again. Idempotent.
 */
export async function revokeMailbox(message: RevokeMailbox): Promise<void> {
  const { workspaceId, mailboxId, revision, tries } = message;
  const mailbox = await findMailbox(workspaceId, mailboxId);
  if (mailbox?.state !== 'disconnected' || mailbox.revision !== revision) return;
  try {
    await revoke(workspaceId, mailbox);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const isWorthARetry = error.kind !== 'refused' && error.kind !== 'unauthorized';
    if (isWorthARetry && tries < triesMax) {
      const waitMs = error.retryAfterMs ?? 1000 * retryDelaySeconds(tries + 1, random());
      const again = revokeMessage(workspaceId, mailbox, tries + 1);
      return await commit(workspaceId, [], [{ message: again, dueAt: now() + waitMs }]);
    }
    const { kind: cause, message: reason } = error;
    logEvent('mailbox.not_revoked', { workspace_id: workspaceId, mailbox_id: mailboxId, cause, reason });
  }
  await destroyCredentials(workspaceId, mailbox);
}

/** Removes a mailbox of a deleted space or an erased workspace; its authorization is revoked if the provider answers. */
export async function removeConnectedMailbox(workspaceId: WorkspaceId, mailbox: Mailbox): Promise<void> {
  try {
    await revoke(workspaceId, mailbox);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind: cause, message: reason } = error;
    logEvent('mailbox.not_revoked', { workspace_id: workspaceId, mailbox_id: mailbox.id, cause, reason });
  }
  await removeMailbox(workspaceId, mailbox);
}

/** Revokes the authorization of a mailbox at its provider. @throws ProviderError */
async function revoke(workspaceId: WorkspaceId, mailbox: Mailbox): Promise<void> {
  const tokens = await findCredentials(workspaceId, mailbox.id);
  if (!tokens) return;
  await endPushes(workspaceId, mailbox, tokens);
  const [authorization, client, refreshToken] = await Promise.all([
    providerAuthorization(mailbox.provider),
    oauthClientOf(workspaceId, mailbox),
    openToken(workspaceId, tokens.refreshToken),
  ]);
  await authorization.revoke(client, refreshToken);
}
