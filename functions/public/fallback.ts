/** `$default`: 404 for an unknown path, 405 for a known path with another method; in version 1, 404 for both. */
import { Problem } from '../../lib/core/problems.ts';
import { allowedMethods, type Route } from '../../lib/http/routes.ts';
import { isForPerson, pageOf, toPageRequest } from '../../lib/http/serve-page.ts';
import { type PublicRequest, type PublicResponse, servePublic } from '../../lib/http/serve-public.ts';
import { operations } from '../operations.ts';
import { publicFunctions, routesOf } from '../public.ts';

const routes: Route[] = [...operations, ...publicFunctions.flatMap(routesOf)];
const pages: Route[] = publicFunctions.filter(({ hasOwnCode }) => hasOwnCode).flatMap(routesOf);

/** Paths of links that customers of our customers open. */
const linkPath = /^\/(?:connect|t|u)(?:\/|$)/;

export const handler = servePublic('fallback', async (request) => {
  try {
    return answer(request);
  } catch (error) {
    if (!(error instanceof Problem && linkPath.test(request.path) && isForPerson(request))) throw error;
    const page = pageOf('fallback', error, { ...toPageRequest(request), subject: 'page' });
    return { ...page, headers: { ...page.headers, ...error.headers } };
  }
});

function answer({ method, path }: PublicRequest): PublicResponse {
  const allowed = allowedMethods(routes, path);
  if (allowed && !allowed.some((name) => name === method)) {
    throw new Problem('method_not_allowed', `This path supports ${allowed.join(', ')}.`, {
      headers: { allow: allowed.join(', ') },
    });
  }
  const page = pageWithoutSlash(path);
  if (page !== null && allowedMethods(pages, page)?.some((name) => name === method)) {
    return { status: 308, headers: { location: page }, body: '' };
  }
  throw new Problem('not_found', 'The path does not exist.');
}

/** People type `/docs/`. Only plain segments, so that the target stays on this host. */
function pageWithoutSlash(path: string): string | null {
  return /^((?:\/[\w.-]+)+)\/$/.exec(path)?.[1] ?? null;
}
