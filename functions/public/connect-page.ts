/** `GET /connect/{slug}`: the hosted page of an OAuth app. */

import { linkParameters } from '../../lib/http/connect-link.ts';
import { connectPage } from '../../lib/http/pages/connect.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { checkLink, findConnectApp } from '../../lib/services/mailboxes/begin-connection.ts';

export const handler = servePage('connect-page', async ({ params, query, baseUrl }) => {
  const { workspaceId, app } = await findConnectApp(params.slug ?? '');
  // Told before the consent, not after it.
  await checkLink(workspaceId, app, linkParameters(query));
  const search = query.size === 0 ? '' : `?${query}`;
  return connectPage(app, `${baseUrl}/connect/${app.slug}/start${search}`);
});
