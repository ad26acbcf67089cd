/** `GET /console/session`: who is signed in. */
import { tokenInCookies } from '../../lib/core/access/session.ts';
import { noSession, presentSession } from '../../lib/http/console-requests.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { findSession } from '../../lib/services/console/sessions.ts';

export const handler = servePublic('console-session', async ({ baseUrl, cookies }) => {
  const token = tokenInCookies(baseUrl, cookies);
  const session = token === null ? null : await findSession(token);
  if (!session) throw noSession();
  return presentSession(session);
});
