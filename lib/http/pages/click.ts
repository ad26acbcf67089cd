/** What a tracked link answers. */
import type { PublicAnswer } from '../serve-public.ts';
import { htmlPage } from './page.ts';

/** On to the target, which comes from a token that we signed and from nowhere else. */
export function leadOn(target: string): PublicAnswer {
  return { status: 302, headers: { location: target, 'referrer-policy': 'no-referrer' }, body: '' };
}

/** For a link that we did not make. It leads nowhere, whatever it says. */
export function invalidClick(): PublicAnswer {
  return htmlPage(404, {
    title: 'This link does not work',
    body: '<p>It may have been cut off on its way to you. Open it from the email itself.</p>',
  });
}
