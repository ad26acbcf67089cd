/** Retrieves an OAuth app. */
import { presentOauthApp } from '../../lib/http/presenters/oauth-app.ts';
import { serve } from '../../lib/http/serve.ts';
import { getApp } from '../../lib/services/mailboxes/oauth-apps.ts';
import { retrieveOauthAppOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveOauthAppOperation, async ({ caller, params, baseUrl }) => {
  const app = await getApp(caller.workspaceId, params.app_id);
  return { status: 200, body: presentOauthApp(app, baseUrl) };
});
