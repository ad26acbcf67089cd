/** The OAuth client of a mailbox: of an app of its workspace, or one that the deployment shares. */
import type { OauthAppId, WorkspaceId } from '../../core/ids.ts';
import type { MailboxProviderName } from '../../core/mailboxes/mailbox.ts';
import { type OauthClient, ProviderError } from '../../core/mailboxes/provider.ts';
import { findClient } from '../../storage/oauth-apps.ts';
import { openClientSecret } from './sealed-tokens.ts';

/**
 * The client by which a mailbox was connected, with its secret as it is now.
 *
 * @param appId null: a shared app
 * @throws ProviderError refused where the deployment shares none any more
 */
export async function oauthClientOf(
  workspaceId: WorkspaceId,
  { provider, appId }: { readonly provider: MailboxProviderName; readonly appId: OauthAppId | null },
): Promise<OauthClient> {
  if (appId === null)
    throw new ProviderError('refused', `The deployment shares no OAuth app for ${provider}.`);
  const found = await findClient(workspaceId, appId);
  if (!found) throw new ProviderError('refused', 'The OAuth app of the mailbox is gone.');
  const { clientId, sealedSecret, tenant, pubsubTopic } = found;
  return { clientId, clientSecret: await openClientSecret(workspaceId, sealedSecret), tenant, pubsubTopic };
}
