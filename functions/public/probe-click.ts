/** `HEAD /t/c/{token}`: redirects a scanner without recording a click. */
import { Problem } from '../../lib/core/problems.ts';
import { redirectTo } from '../../lib/http/pages/click.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { readLink } from '../../lib/services/tracking/links.ts';

const route = { subject: 'link of an email', isLinkOfMail: true } as const;

export const handler = servePage('probe-click', route, async (request) => {
  const link = await readLink('click', request.params.token ?? '');
  if (!link?.target) throw new Problem('not_found', 'The link was not made here.');
  return redirectTo(link.target);
});
