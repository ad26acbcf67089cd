/** `GET /t/o/{token}`: records an open and serves the tracking pixel. */
import { now } from '../../lib/adapters/clock.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { readLink } from '../../lib/services/tracking/links.ts';
import { recordEngagement } from '../../lib/services/tracking/record-engagement.ts';

/** A transparent GIF of one pixel. */
const pixel = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

export const handler = servePublic('track-open', async ({ params, headers }) => {
  const link = await readLink('open', params.token ?? '');
  const userAgent = headers['user-agent'] ?? null;
  if (link) await recordEngagement(link, { type: 'open', url: null, at: now(), userAgent, headers });
  // An invalid token gets the pixel too: an error would show as a broken image in the mail.
  return { status: 200, headers: { 'content-type': 'image/gif' }, body: pixel };
});
