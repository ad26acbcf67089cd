/**
 * `POST /console/enter`: signs a member in by the token of a link. With `?preview=true` it tells whom the link signs in
 * where, and does not use it up: the page asks first, since scanners of mail open links.
 */
import { Problem } from '../../lib/core/problems.ts';
import { enterSchema, presentSession, readConsoleBody, withCookie } from '../../lib/http/console-requests.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { enter, findLink } from '../../lib/services/console/sign-in.ts';

const invalidLink = () =>
  new Problem('unauthorized', 'The link was used, has expired or is incomplete. Ask for another one.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

export const handler = servePublic('console-enter', async (request) => {
  const { token } = readConsoleBody(request, enterSchema);
  if (request.query.get('preview') === 'true') {
    const link = await findLink(token);
    if (!link) throw invalidLink();
    return presentSession(link);
  }
  const sessionToken = await enter(token);
  if (sessionToken === null) throw invalidLink();
  return withCookie(request, sessionToken);
});
