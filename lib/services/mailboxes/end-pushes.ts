/** The end of a mailbox's push notifications, with its connection. */
import { providerMail } from '../../adapters/mailbox-providers/mail.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { SealedTokens } from '../../core/mailboxes/credentials.ts';
import type { Mailbox } from '../../core/mailboxes/mailbox.ts';
import { ProviderError } from '../../core/mailboxes/provider.ts';
import { findMailboxSync } from '../../storage/mailboxes/mailbox-syncs.ts';
import { openAccessToken } from './sealed-tokens.ts';

/**
 * Ends the push notifications of a mailbox before its tokens are revoked. Where the provider does not take it, they end by
 * themselves within a week, and are refused until then.
 */
export async function endPushes(
  workspaceId: WorkspaceId,
  { id, provider }: Mailbox,
  { accessToken }: SealedTokens,
): Promise<void> {
  const sync = await findMailboxSync(workspaceId, id);
  if (!sync?.push) return;
  try {
    const mail = await providerMail(provider);
    await mail.unsubscribe(await openAccessToken(workspaceId, accessToken), sync.push);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
}
