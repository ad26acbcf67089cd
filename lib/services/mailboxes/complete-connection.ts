/** The end of a connection: the callback of the provider (docs/concepts/mailboxes.md#connecting). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { providerAuthorization } from '../../adapters/mailbox-providers/index.ts';
import type { MailboxId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Consent } from '../../core/mailboxes/consent.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import { type Authorized, ProviderError } from '../../core/mailboxes/provider.ts';
import { withOutcome } from '../../core/mailboxes/return-urls.ts';
import { Problem, type ProblemCode } from '../../core/problems.ts';
import { count } from '../../observability/count.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { findConsent, removeConsent } from '../../storage/mailboxes/consents.ts';
import { beginSync } from '../../storage/mailboxes/mailbox-syncs.ts';
import * as store from '../../storage/mailboxes/mailboxes.ts';
import { newEvent } from '../events/new-event.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { signerOf } from './connection-asker.ts';
import { oauthClientOf } from './oauth-client.ts';
import { openToken, sealTokens } from './sealed-tokens.ts';
import { syncMailboxMessage } from './sync-messages.ts';

/** What the provider sends to the redirect URI. */
export interface Callback {
  /** Of the redirect URI. */
  readonly provider: string;
  readonly state: string;
  readonly code: string | null;
  /** Error of the authorization response (RFC 6749, 4.1.2.1). */
  readonly error: string | null;
}

export type ConnectionOutcome =
  | { readonly status: 'connected'; readonly mailboxId: MailboxId; readonly address: string }
  | { readonly status: 'denied' }
  | { readonly status: 'error'; readonly code: ProblemCode };

/**
 * Processes a callback, once for each state.
 *
 * @returns `location`: where the browser goes with the outcome; null: nowhere, a page of ours shows it
 * @throws Problem invalid_state, expired_state: nothing says where the browser should go
 */
export async function completeConnection(callback: Callback): Promise<{
  readonly workspaceId: WorkspaceId;
  readonly consent: Consent;
  readonly location: string | null;
  readonly outcome: ConnectionOutcome;
}> {
  const { workspaceId, consent } = await consentOf(callback);
  const outcome = await connect(workspaceId, consent, callback);
  const { returnTo } = consent;
  const location = returnTo === null ? null : withOutcome(returnTo, parametersOf(outcome));
  return { workspaceId, consent, location, outcome };
}

function parametersOf(outcome: ConnectionOutcome): Record<string, string> {
  const { status } = outcome;
  if (status === 'connected') return { status, mailbox_id: outcome.mailboxId };
  return status === 'error' ? { status, code: outcome.code } : { status };
}

async function consentOf({
  provider,
  state,
}: Callback): Promise<{ workspaceId: WorkspaceId; consent: Consent }> {
  const invalidState = () => new Problem('invalid_state', 'The link does not come from this service.');
  const expiredState = () => new Problem('expired_state', 'The link has expired or was used before.');
  const workspaceId = await signerOf(state);
  if (!workspaceId) throw invalidState();
  const consent = await findConsent(workspaceId, state);
  if (!consent || consent.expiresAt <= now()) throw expiredState();
  // Its own callback still works.
  if (consent.provider !== provider) throw invalidState();
  if (!(await removeConsent(workspaceId, state))) throw expiredState();
  return { workspaceId, consent };
}

async function connect(
  workspaceId: WorkspaceId,
  consent: Consent,
  { code, error }: Callback,
): Promise<ConnectionOutcome> {
  if (error === 'access_denied') return { status: 'denied' };
  if (code === null) return { status: 'error', code: 'provider_error' };
  try {
    const authorized = await authorize(workspaceId, consent, code);
    const mailbox = await storeMailbox(workspaceId, consent, authorized);
    count('MailboxesConnected', workspaceId);
    return { status: 'connected', mailboxId: mailbox.id, address: mailbox.address };
  } catch (failure) {
    // The browser comes back with the outcome, whatever it is.
    if (failure instanceof Problem) return { status: 'error', code: failure.code };
    if (!(failure instanceof ProviderError)) {
      logEvent('mailbox.connection_failed', { workspace_id: workspaceId, error: describeError(failure) });
      return { status: 'error', code: 'internal_error' };
    }
    const { kind, message: reason } = failure;
    logEvent('mailbox.not_connected', { workspace_id: workspaceId, cause: kind, reason });
    if (kind === 'unauthorized') return { status: 'denied' };
    return { status: 'error', code: kind === 'throttled' ? 'rate_limited' : 'provider_error' };
  }
}

async function authorize(workspaceId: WorkspaceId, consent: Consent, code: string): Promise<Authorized> {
  const { redirectUri, sealedVerifier } = consent;
  const [authorization, client, codeVerifier] = await Promise.all([
    providerAuthorization(consent.provider),
    oauthClientOf(workspaceId, consent),
    openToken(workspaceId, sealedVerifier),
  ]);
  const authorized = await authorization.exchangeCode(client, { code, codeVerifier, redirectUri });
  if (authorized === 'other_tenant') {
    throw new Problem('invalid_tenant', 'The account belongs to another tenant than the OAuth app.');
  }
  return authorized;
}

/** @throws Problem mailbox_space_conflict, mailbox_account_conflict, mailbox_inactive (being revoked), not_found (app, space), limit_reached */
async function storeMailbox(
  workspaceId: WorkspaceId,
  consent: Consent,
  { tokens, account }: Authorized,
): Promise<Mailbox> {
  const sealed = await sealTokens(workspaceId, tokens, { refreshToken: [] });
  return await retryOnConflict(`mailbox of ${workspaceId}`, async () => {
    const before = await store.findMailboxByAddress(workspaceId, account.address);
    if (before && consent.space && consent.space.id !== before.spaceId) {
      throw new Problem('mailbox_space_conflict', 'The mailbox is in another space.');
    }
    if (before && !isSameAccount(before, consent, account)) {
      throw new Problem('mailbox_account_conflict', 'Another account is connected with this address.');
    }
    const mailbox = connectedMailbox(before, consent, account);
    const subject = { mailboxId: mailbox.id, connection: mailbox.connections };
    const message = newEvent(workspaceId, 'mailbox.connected', mailbox.connectedAt, subject);
    const { backfillDays, redirectUri } = consent;
    const baseUrl = redirectUri.replace(/\/connect\/callback\/.*$/, '');
    const connection = {
      tokens: sealed,
      writes: beginSync(workspaceId, mailbox, { backfillDays, baseUrl }),
      messages: [{ message }, { message: syncMailboxMessage(workspaceId, mailbox.id, null) }],
    };
    const outcome = before
      ? await store.reconnectMailbox(workspaceId, before, mailbox, connection)
      : await store.connectNewMailbox(workspaceId, mailbox, connection);
    switch (outcome) {
      case 'connected':
        return mailbox;
      case 'conflict':
        return conflict;
      case 'being_revoked':
        throw new Problem('mailbox_inactive', 'The mailbox is being disconnected: connect it again.');
      case 'app_missing':
        throw new Problem('not_found', 'The OAuth app was deleted.');
      case 'space_missing':
        throw new Problem('not_found', 'The space does not exist.');
      case 'limit_reached':
        throw new Problem('limit_reached', `A workspace has at most ${limits.mailboxes} mailboxes.`);
    }
  });
}

/**
 * Whether an account may take the place of the one that a mailbox is connected to: only the workspace decides that another
 * account with the same address does, by disconnecting the mailbox. Anybody can open a hosted page.
 */
function isSameAccount(
  before: Mailbox,
  { provider }: Consent,
  { id: accountId }: Authorized['account'],
): boolean {
  if (before.state === 'disconnected') return true;
  return before.provider === provider && before.accountId === accountId;
}

/** @param before null: it is connected for the first time */
function connectedMailbox(
  before: Mailbox | null,
  { provider, appId, space, ref, region }: Consent,
  { id: accountId, address, name }: Authorized['account'],
): Mailbox {
  return {
    id: before?.id ?? newId('mbx'),
    provider,
    accountId,
    spaceId: before ? before.spaceId : (space?.id ?? null),
    address,
    name,
    state: 'active',
    stateReason: null,
    region: before?.region ?? region,
    appId,
    ref,
    connections: (before?.connections ?? 0) + 1,
    connectedAt: now(),
    lastSyncAt: before?.lastSyncAt ?? null,
    revision: (before?.revision ?? 0) + 1,
  };
}
