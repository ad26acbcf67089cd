/** The OAuth client of a mailbox: of an app of its workspace, or one that the deployment shares (docs/mailbox-apps.md#shared-apps). */
import * as z from 'zod';
import { now } from '../../adapters/clock.ts';
import { readSecret } from '../../adapters/secrets-manager.ts';
import type { OauthAppId, WorkspaceId } from '../../core/ids.ts';
import type { MailboxProviderName } from '../../core/mailboxes/mailbox.ts';
import { type OauthClient, ProviderError } from '../../core/mailboxes/provider.ts';
import { env } from '../../env.ts';
import { findClient } from '../../storage/mailboxes/oauth-apps.ts';
import { openClientSecret } from './sealed-tokens.ts';

/** Whether the deployment shares an app of a provider. */
export function hasSharedApp(provider: MailboxProviderName): boolean {
  return env().SHARED_APPS[provider] !== '';
}

/**
 * The client by which a mailbox is or was connected, with its secret as it is now.
 *
 * @param appId null: a shared app
 * @throws ProviderError refused where it is gone
 */
export async function oauthClientOf(
  workspaceId: WorkspaceId,
  { provider, appId }: { readonly provider: MailboxProviderName; readonly appId: OauthAppId | null },
): Promise<OauthClient> {
  if (appId === null) return await sharedClient(provider);
  const found = await findClient(workspaceId, appId);
  if (!found) throw new ProviderError('refused', 'The OAuth app of the mailbox is gone.');
  const { clientId, sealedSecret, tenant, pubsubTopic } = found;
  return { clientId, clientSecret: await openClientSecret(workspaceId, sealedSecret), tenant, pubsubTopic };
}

/** The text of the secret of a shared app. */
const sharedAppSchema = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  tenant: z.string().min(1).nullable().default(null),
  pubsub_topic: z.string().min(1).nullable().default(null),
});

/** How long a function keeps a shared client: a changed secret is in force after that. */
const keptMs = 5 * 60_000;
const known = new Map<MailboxProviderName, { readonly client: OauthClient; readonly until: number }>();

async function sharedClient(provider: MailboxProviderName): Promise<OauthClient> {
  const kept = known.get(provider);
  if (kept && now() < kept.until) return kept.client;
  const arn = env().SHARED_APPS[provider];
  if (arn === '') throw new ProviderError('refused', `There is no shared OAuth app for ${provider}.`);
  const client = parseSharedApp(provider, await readSecret(arn));
  known.set(provider, { client, until: now() + keptMs });
  return client;
}

/** @throws Error that does not quote the secret */
function parseSharedApp(provider: MailboxProviderName, text: string): OauthClient {
  const broken = () => new Error(`the secret of the shared OAuth app for ${provider} has another form`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw broken();
  }
  const parsed = sharedAppSchema.safeParse(json);
  if (!parsed.success) throw broken();
  const { client_id: clientId, client_secret: clientSecret, tenant, pubsub_topic: pubsubTopic } = parsed.data;
  return { clientId, clientSecret, tenant, pubsubTopic };
}
