/** `HEAD /t/c/{token}`: redirects a scanner without recording a click. */
import { invalidClick, redirectTo } from '../../lib/http/pages/click.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { readLink } from '../../lib/services/tracking/links.ts';

export const handler = servePublic('probe-click', async ({ params }) => {
  const link = await readLink('click', params.token ?? '');
  return link?.target ? redirectTo(link.target) : invalidClick();
});
