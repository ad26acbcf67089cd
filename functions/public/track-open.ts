/** `GET /t/o/{token}`: a picture that nobody sees, whose request says that a message was opened. */
import { now } from '../../lib/adapters/clock.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { readLink, recordEngagement } from '../../lib/services/tracking/record-engagement.ts';

/** The smallest transparent GIF. */
const pixel = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

export const handler = servePublic('track-open', async ({ params, headers }) => {
  const link = await readLink('open', params.token ?? '');
  const userAgent = headers['user-agent'] ?? null;
  if (link) await recordEngagement(link, { type: 'open', url: null, at: now(), userAgent, headers });
  // The picture comes whatever the token is: a broken one would only look broken in the mail.
  return { status: 200, headers: { 'content-type': 'image/gif' }, body: pixel };
});
