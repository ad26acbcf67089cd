/** `POST /push/microsoft/{workspace_id}/{mailbox_id}`: Microsoft Graph says that a mailbox has changed. */
import { servePublic } from '../../lib/http/serve-public.ts';
import { receiveMicrosoftPush } from '../../lib/services/mailboxes/receive-push.ts';

/** Characters of the token that proves that the URL is ours ("Receive change notifications through webhooks"). */
const tokenMax = 1024;

export const handler = servePublic('microsoft-push', async ({ params, query, body }) => {
  const token = query.get('validationToken');
  if (token !== null) {
    // Echoed as it is, as plain text: nothing of it is ever interpreted.
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
    return { status: token.length <= tokenMax ? 200 : 400, headers, body: token.slice(0, tokenMax) };
  }
  const outcome = await receiveMicrosoftPush({
    workspace: params.workspace_id ?? '',
    mailbox: params.mailbox_id ?? '',
    body,
  });
  return { status: outcome === 'accepted' ? 202 : 401, headers: {}, body: '' };
});
