/** Responses to tracked links; see docs/concepts/tracking.md. */
import type { PublicResponse } from '../serve-public.ts';
import { htmlPage } from './page.ts';

/** Redirects to the target of a signed token, or to one that was checked. */
export function redirectTo(target: string): PublicResponse {
  return { status: 302, headers: { location: target, 'referrer-policy': 'no-referrer' }, body: '' };
}

/** The 404 page for a link with an invalid token. */
export function invalidClick(): PublicResponse {
  return htmlPage(404, {
    title: 'This link does not work',
    body: '<p>The link may be incomplete. Open it from the email.</p>',
  });
}
