/** `GET /connect/{slug}/start`: sends the browser to the consent page of the provider. */
import { linkParameters } from '../../lib/http/connect-link.ts';
import { redirectTo } from '../../lib/http/pages/click.ts';
import { connectFacts } from '../../lib/http/pages/connect-facts.ts';
import { redirectUriOf } from '../../lib/http/presenters/oauth-app.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { beginLinkedConnection } from '../../lib/services/mailboxes/begin-connection.ts';
import { askerOfLink } from '../../lib/services/mailboxes/connection-asker.ts';

export const handler = servePage(
  'connect-start',
  {
    subject: 'connection',
    facts: async ({ params, query }) =>
      connectFacts(await askerOfLink(params.slug ?? '', linkParameters(query))),
  },
  async ({ params, query, baseUrl }) => {
    const redirectUri = (provider: 'google' | 'microsoft') => redirectUriOf(baseUrl, provider);
    return redirectTo(await beginLinkedConnection(params.slug ?? '', linkParameters(query), redirectUri));
  },
);
