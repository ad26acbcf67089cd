/** Creates an OAuth app. */
import { presentOauthApp } from '../../lib/http/presenters/oauth-app.ts';
import { serve } from '../../lib/http/serve.ts';
import { createApp } from '../../lib/services/mailboxes/oauth-apps.ts';
import { createOauthAppOperation } from './create.contract.ts';

export const handler = serve(createOauthAppOperation, async ({ caller, body, baseUrl }) => {
  const settings = {
    provider: body.provider,
    slug: body.slug,
    name: body.name,
    clientId: body.client_id,
    tenant: body.tenant ?? null,
    pubsubTopic: body.pubsub_topic ?? null,
    accent: body.accent ?? null,
    tagline: body.tagline ?? null,
    supportEmail: body.support_email ?? null,
    logoUrl: body.logo_url ?? null,
    returnUrls: body.return_urls ?? [],
  };
  const app = await createApp(caller.workspaceId, settings, body.client_secret, caller.actor);
  return { status: 201, body: presentOauthApp(app, baseUrl) };
});
