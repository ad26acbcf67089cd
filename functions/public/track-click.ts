/** `GET /t/c/{token}`: records a click and redirects to the original target of the link. */
import { now } from '../../lib/adapters/clock.ts';
import { Problem } from '../../lib/core/problems.ts';
import { redirectTo } from '../../lib/http/pages/click.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { describeError, logEvent } from '../../lib/observability/log.ts';
import { readLink } from '../../lib/services/tracking/links.ts';
import { recordEngagement } from '../../lib/services/tracking/record-engagement.ts';

const route = { subject: 'link of an email', isLinkOfMail: true } as const;

export const handler = servePage('track-click', route, async (request) => {
  const { params, headers, requestId } = request;
  const link = await readLink('click', params.token ?? '');
  if (!link?.target) throw new Problem('not_found', 'The link was not made here.');
  try {
    const userAgent = headers['user-agent'] ?? null;
    await recordEngagement(link, { type: 'click', url: link.target, at: now(), userAgent, headers });
  } catch (error) {
    // Redirecting the person matters more than recording the click.
    logEvent('tracking.click_not_recorded', { request_id: requestId, error: describeError(error) });
  }
  return redirectTo(link.target);
});
