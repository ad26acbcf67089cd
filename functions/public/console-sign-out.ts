/** `DELETE /console/session`: signs out; with `?everywhere=true` in all browsers of the member. */
import { tokenInCookies } from '../../lib/core/access/session.ts';
import { requireConsole, withCookie } from '../../lib/http/console-requests.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { signOut } from '../../lib/services/console/sessions.ts';

export const handler = servePublic('console-sign-out', async (request) => {
  requireConsole(request);
  const token = tokenInCookies(request.baseUrl, request.cookies);
  if (token !== null) await signOut(token, { isEverywhere: request.query.get('everywhere') === 'true' });
  return withCookie(request, '');
});
