/** `GET /connect/{slug}/start`: sends the browser to the consent page of the provider. */
import { linkParameters } from '../../lib/http/connect-link.ts';
import { redirectTo } from '../../lib/http/pages/click.ts';
import { redirectUriOf } from '../../lib/http/presenters/oauth-app.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { beginLinkedConnection } from '../../lib/services/mailboxes/begin-connection.ts';

export const handler = servePage('connect-start', async ({ params, query, baseUrl }) => {
  const redirectUri = (provider: 'google' | 'microsoft') => redirectUriOf(baseUrl, provider);
  return redirectTo(await beginLinkedConnection(params.slug ?? '', linkParameters(query), redirectUri));
});
