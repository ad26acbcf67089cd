import { describe, expect, it } from 'vitest';
import { prepareDemoApps } from '../../../bin/local/demo-apps.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { setUpGoogle } from '../../local/mailbox-providers/google-kit.ts';
import { setUpMicrosoft } from '../../local/mailbox-providers/microsoft-kit.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

describe('prepareDemoApps', () => {
  it('creates an OAuth app for each provider, once, with pushes to its endpoint', async () => {
    const own = await workspace();
    const [google, microsoft] = [await setUpGoogle(), await setUpMicrosoft()];
    const owner = { workspaceId: own.id, keyId: newId('key'), siteUrl: new URL(cloud().baseUrl).origin };
    const prepare = () => prepareDemoApps(owner, { ...google, ...microsoft });
    const apps = await prepare();
    expect(apps.map(({ provider, connectUrl }) => [provider, new URL(connectUrl).pathname])).toEqual([
      ['google', '/connect/demo-google'],
      ['microsoft', '/connect/demo-microsoft'],
    ]);
    expect(await prepare()).toEqual(apps);
    const { body } = await api(own).get('/oauth-apps');
    const app = body.data?.find(({ provider }) => provider === 'google');
    expect(app).toMatchObject({ return_urls: [`${google.google.url}/mail`] });
    const [subscription] = google.google.pubSub.subscriptions();
    expect(app).toMatchObject({
      push_endpoint: subscription?.pushEndpoint,
      pubsub_topic: subscription?.topic,
    });
    await Promise.all([google.close(), microsoft.close()]);
  });
});
