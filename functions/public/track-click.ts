/** `GET /t/c/{token}`: records a click and leads on to where the message's link led. */
import { now } from '../../lib/adapters/clock.ts';
import { invalidClick, redirectTo } from '../../lib/http/pages/click.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { readLink, recordEngagement } from '../../lib/services/tracking/record-engagement.ts';

export const handler = servePublic('track-click', async ({ params, headers, requestId }) => {
  const link = await readLink('click', params.token ?? '');
  if (!link?.target) return invalidClick();
  try {
    const userAgent = headers['user-agent'] ?? null;
    await recordEngagement(link, { type: 'click', url: link.target, at: now(), userAgent, headers });
  } catch (error) {
    // A click that is not counted is a small loss; a person who does not get there is not.
    console.error(JSON.stringify({ event: 'click lost', request_id: requestId, cause: String(error) }));
  }
  return redirectTo(link.target);
});
