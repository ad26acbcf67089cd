/** `GET /u/{token}`: the unsubscribe page. It changes nothing, since scanners follow links too. */
import { choicePage, invalidLinkPage } from '../../lib/http/pages/unsubscribe.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { findSubscriber } from '../../lib/services/suppressions/opt-out.ts';

export const handler = servePublic('unsubscribe-page', async ({ params }) => {
  const subscriber = await findSubscriber(params.token ?? '');
  if (!subscriber) return invalidLinkPage();
  const { email, address } = subscriber;
  return choicePage({ sender: email.from, address, hasList: email.suppressionKey !== null });
});
