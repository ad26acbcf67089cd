/** Lists OAuth apps. */
import { presentOauthApp } from '../../lib/http/presenters/oauth-app.ts';
import { serve } from '../../lib/http/serve.ts';
import { listApps } from '../../lib/services/mailboxes/oauth-apps.ts';
import { listOauthAppsOperation } from './list.contract.ts';

export const handler = serve(listOauthAppsOperation, async ({ caller, page, nextCursor, baseUrl }) => {
  const { items, next } = await listApps(caller.workspaceId, page());
  const data = items.map((app) => presentOauthApp(app, baseUrl));
  return { status: 200, body: { data, next_cursor: await nextCursor(next) } };
});
