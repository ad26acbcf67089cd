/** `HEAD /t/c/{token}`: redirects a scanner without recording a click. */
import { Problem } from '../../lib/core/problems.ts';
import { redirectTo } from '../../lib/http/pages/click.ts';
import { pageOf, servePage } from '../../lib/http/serve-page.ts';
import { readLink } from '../../lib/services/tracking/links.ts';

const subject = 'link of an email';

export const handler = servePage('probe-click', { subject }, async (request) => {
  const link = await readLink('click', request.params.token ?? '');
  if (link?.target) return redirectTo(link.target);
  const problem = new Problem('not_found', 'The link was not made here.');
  return pageOf('probe-click', problem, { ...request, subject });
});
