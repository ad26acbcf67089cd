/** `GET /t/c/{token}`: records a click and redirects to the original target of the link. */
import { now } from '../../lib/adapters/clock.ts';
import { invalidClick, redirectTo } from '../../lib/http/pages/click.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { describeError, logEvent } from '../../lib/observability/log.ts';
import { readLink } from '../../lib/services/tracking/links.ts';
import { recordEngagement } from '../../lib/services/tracking/record-engagement.ts';

export const handler = servePublic('track-click', async ({ params, headers, requestId }) => {
  const link = await readLink('click', params.token ?? '');
  if (!link?.target) return invalidClick();
  try {
    const userAgent = headers['user-agent'] ?? null;
    await recordEngagement(link, { type: 'click', url: link.target, at: now(), userAgent, headers });
  } catch (error) {
    // Redirecting the person matters more than recording the click.
    logEvent('tracking.click_not_recorded', { request_id: requestId, error: describeError(error) });
  }
  return redirectTo(link.target);
});
