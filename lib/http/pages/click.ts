/** What a tracked link answers. */
import type { PublicResponse } from '../serve-public.ts';
import { htmlPage } from './page.ts';

/** On to the target, which comes from a token that we signed and from nowhere else. */
export function redirectTo(target: string): PublicResponse {
  return { status: 302, headers: { location: target, 'referrer-policy': 'no-referrer' }, body: '' };
}

/** For a link that we did not make. It leads nowhere, whatever it says. */
export function invalidClick(): PublicResponse {
  return htmlPage(404, {
    title: 'This link does not work',
    body: '<p>It may have been cut off on its way to you. Open it from the email itself.</p>',
  });
}
