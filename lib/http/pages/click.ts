/** Responses to tracked links; see docs/concepts/tracking.md. */
import type { PublicResponse } from '../serve-public.ts';

/** Redirects to the target of a signed token, or to one that was checked. */
export function redirectTo(target: string): PublicResponse {
  return { status: 302, headers: { location: target, 'referrer-policy': 'no-referrer' }, body: '' };
}
