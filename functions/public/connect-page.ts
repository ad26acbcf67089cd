/** `GET /connect/{slug}`: the hosted page of an OAuth app. */

import { linkParameters } from '../../lib/http/connect-link.ts';
import { connectPage } from '../../lib/http/pages/connect.ts';
import { connectFacts } from '../../lib/http/pages/connect-facts.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { checkLink, findConnectApp } from '../../lib/services/mailboxes/begin-connection.ts';
import { askerOfLink } from '../../lib/services/mailboxes/connection-asker.ts';

export const handler = servePage(
  'connect-page',
  {
    subject: 'connection',
    facts: async ({ params, query }) =>
      connectFacts(await askerOfLink(params.slug ?? '', linkParameters(query))),
  },
  async ({ params, query, baseUrl, language }) => {
    const { workspaceId, app } = await findConnectApp(params.slug ?? '');
    // Told before the consent, not after it.
    await checkLink(workspaceId, app, linkParameters(query));
    const search = query.size === 0 ? '' : `?${query}`;
    return connectPage(app, `${baseUrl}/connect/${app.slug}/start${search}`, language);
  },
);
