/** Connected mailboxes, for tests that need no consent. */
import { composeId, type WorkspaceId } from '../../lib/core/ids.ts';
import type { Mailbox } from '../../lib/core/mailboxes/mailbox.ts';
import { sealTokens } from '../../lib/services/mailboxes/sealed-tokens.ts';
import { connectNewMailbox } from '../../lib/storage/mailboxes/mailboxes.ts';

/** A mailbox with defaults. */
export function mailboxOf(given: Partial<Mailbox> = {}): Mailbox {
  return {
    id: composeId('mbx', 1, new Uint8Array(10)),
    provider: 'google',
    accountId: '1',
    spaceId: null,
    address: 'anna@acme.test',
    name: 'Anna',
    state: 'active',
    stateReason: null,
    region: 'us-east-1',
    appId: null,
    ref: null,
    connections: 1,
    connectedAt: 0,
    lastSyncAt: null,
    revision: 1,
    ...given,
  };
}

/** Stores a mailbox with credentials that no provider knows. */
export async function storeMailbox(workspaceId: WorkspaceId, mailbox: Mailbox): Promise<void> {
  const tokens = { accessToken: 'access', refreshToken: 'refresh', expiresAt: 0 };
  const sealed = await sealTokens(workspaceId, tokens, { refreshToken: [] });
  const outcome = await connectNewMailbox(workspaceId, mailbox, { tokens: sealed, writes: [], messages: [] });
  if (outcome !== 'connected') throw new Error(`the mailbox was not stored: ${outcome}`);
}
