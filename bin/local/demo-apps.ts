/** OAuth apps of the demo workspace, so that a mailbox can be connected in a browser right after `npm start`. */
import type { KeyId, WorkspaceId } from '../../lib/core/ids.ts';
import type { OauthApp } from '../../lib/core/mailboxes/oauth-app.ts';
import { presentOauthApp } from '../../lib/http/presenters/oauth-app.ts';
import { type Cloud, demoClient } from '../../lib/local/index.ts';
import { createApp, listApps, updateApp } from '../../lib/services/mailboxes/oauth-apps.ts';

export interface DemoApp {
  readonly provider: 'google' | 'microsoft';
  /** The hosted page. */
  readonly connectUrl: string;
}

/** Who creates the apps, and where. */
export interface DemoOwner {
  readonly workspaceId: WorkspaceId;
  readonly keyId: KeyId;
  /** Host of the API, without a path. */
  readonly siteUrl: string;
}

const topic = 'projects/local/topics/gmail';

/**
 * Creates an OAuth app for each provider, or finds it in a kept table. Google's pushes go to its endpoint, and a browser
 * returns to the webmail. Not by the API, whose functions have a time limit that a busy machine may exceed.
 */
export async function prepareDemoApps(
  owner: DemoOwner,
  { google, microsoft }: Pick<Cloud['mailboxProviders'], 'google' | 'microsoft'>,
): Promise<readonly DemoApp[]> {
  const { workspaceId, siteUrl } = owner;
  const { items: existing } = await listApps(workspaceId, { limit: 100, after: null });
  const appOf = async (provider: DemoApp['provider'], settings: Changing) =>
    presentOauthApp(await prepareApp(owner, provider, settings, existing), siteUrl);
  const googleApp = await appOf('google', { returnUrls: [`${google.url}/mail`], pubsubTopic: topic });
  if (googleApp.push_endpoint !== null) {
    google.pubSub.subscribe({
      name: 'projects/local/subscriptions/gmail',
      topic,
      pushEndpoint: googleApp.push_endpoint,
      audience: googleApp.push_endpoint,
      serviceAccount: 'push@local.iam.gserviceaccount.com',
    });
  }
  const microsoftApp = await appOf('microsoft', { returnUrls: [`${microsoft.url}/mail`], pubsubTopic: null });
  return [
    { provider: 'google', connectUrl: googleApp.connect_url },
    { provider: 'microsoft', connectUrl: microsoftApp.connect_url },
  ];
}

/** The ports may be others than before. */
type Changing = Pick<OauthApp, 'returnUrls' | 'pubsubTopic'>;

async function prepareApp(
  { workspaceId, keyId }: DemoOwner,
  provider: DemoApp['provider'],
  settings: Changing,
  existing: readonly OauthApp[],
): Promise<OauthApp> {
  const slug = `demo-${provider}`;
  const { clientId, clientSecret } = demoClient;
  const kept = existing.find((app) => app.slug === slug);
  if (kept) return await updateApp(workspaceId, kept.id, { ...settings, clientSecret: undefined }, keyId);
  const none = { tenant: null, accent: null, tagline: null, supportEmail: null, logoUrl: null };
  return await createApp(
    workspaceId,
    { ...none, ...settings, provider, slug, name: 'Demo', clientId },
    clientSecret,
    keyId,
  );
}
