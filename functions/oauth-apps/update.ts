/** Updates an OAuth app. */
import { oauthAppChange, presentOauthApp } from '../../lib/http/presenters/oauth-app.ts';
import { serve } from '../../lib/http/serve.ts';
import { updateApp } from '../../lib/services/mailboxes/oauth-apps.ts';
import { updateOauthAppOperation } from './update.contract.ts';

export const handler = serve(updateOauthAppOperation, async ({ caller, params, body, baseUrl }) => {
  const { client_secret: clientSecret, ...change } = body;
  const { workspaceId, actor } = caller;
  const changed = { ...oauthAppChange(change), clientSecret };
  const app = await updateApp(workspaceId, params.app_id, changed, actor);
  return { status: 200, body: presentOauthApp(app, baseUrl) };
});
