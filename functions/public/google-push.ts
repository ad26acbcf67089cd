/** `POST /push/google/{app_id}`: a push of Pub/Sub says that a mailbox has changed. */
import { servePublic } from '../../lib/http/serve-public.ts';
import { receiveGooglePush } from '../../lib/services/mailboxes/receive-push.ts';

export const handler = servePublic('google-push', async ({ params, path, baseUrl, headers, body }) => {
  const outcome = await receiveGooglePush({
    app: params.app_id ?? '',
    audience: `${baseUrl}${path}`,
    authorization: headers.authorization ?? '',
    body,
  });
  return { status: outcome === 'accepted' ? 204 : 401, headers: {}, body: '' };
});
