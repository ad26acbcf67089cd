/** OAuth apps of the demo workspace, so that a mailbox can be connected in a browser right after `npm start`. */
import * as z from 'zod';
import { demoClient, type MailboxProviders } from './mailbox-providers.ts';

export interface DemoApp {
  readonly provider: 'google' | 'microsoft';
  /** The hosted page. */
  readonly connectUrl: string;
}

const appSchema = z.object({
  id: z.string(),
  slug: z.string(),
  connect_url: z.string(),
  push_endpoint: z.string().nullable(),
});
const listSchema = z.object({ data: z.array(appSchema) });

const topic = 'projects/local/topics/gmail';

/**
 * Creates an OAuth app for each provider by the API, or finds it in a kept table. Google's pushes go to its endpoint, and
 * a browser returns to the webmail.
 *
 * @param api base URL and key of scope `full`
 * @throws Error with the answer of the API
 */
export async function prepareDemoApps(
  api: { readonly baseUrl: string; readonly apiKey: string },
  { google, microsoft }: Pick<MailboxProviders, 'google' | 'microsoft'>,
): Promise<readonly DemoApp[]> {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${api.baseUrl}/oauth-apps${path}`, {
      method,
      headers: { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /oauth-apps${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  const { data: existing } = listSchema.parse(await call('GET', ''));

  const prepare = async (provider: DemoApp['provider'], webmailUrl: string, pubsubTopic: string | null) => {
    const slug = `demo-${provider}`;
    const kept = existing.find((app) => app.slug === slug);
    // The ports may be others than before.
    const settings = { return_urls: [webmailUrl], pubsub_topic: pubsubTopic };
    const app = kept
      ? await call('PATCH', `/${kept.id}`, settings)
      : await call('POST', '', {
          ...settings,
          provider,
          slug,
          name: 'Demo',
          client_id: demoClient.clientId,
          client_secret: demoClient.clientSecret,
        });
    return appSchema.parse(app);
  };

  const googleApp = await prepare('google', `${google.url}/mail`, topic);
  if (googleApp.push_endpoint !== null) {
    google.pubSub.subscribe({
      name: 'projects/local/subscriptions/gmail',
      topic,
      pushEndpoint: googleApp.push_endpoint,
      audience: googleApp.push_endpoint,
      serviceAccount: 'push@local.iam.gserviceaccount.com',
    });
  }
  const microsoftApp = await prepare('microsoft', `${microsoft.url}/mail`, null);
  return [
    { provider: 'google', connectUrl: googleApp.connect_url },
    { provider: 'microsoft', connectUrl: microsoftApp.connect_url },
  ];
}
