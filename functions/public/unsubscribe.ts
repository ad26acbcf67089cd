/** `POST /u/{token}`: unsubscribes, by the form of the page or by one-click (RFC 8058, section 3.2). */
import { donePage, invalidLinkPage } from '../../lib/http/pages/unsubscribe.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { findSubscriber, optOut } from '../../lib/services/suppressions/opt-out.ts';

/** Form-encoded, or as a part of `multipart/form-data`. */
const oneClick = /List-Unsubscribe"?(?:=|\s+)One-Click/i;
const optionalOnly = /(?:^|&)scope=optional(?:&|$)/;

export const handler = servePublic('unsubscribe', async ({ params, body }) => {
  const subscriber = await findSubscriber(params.token ?? '');
  if (!subscriber) return invalidLinkPage();
  const scope = optionalOnly.test(body) ? 'optional' : 'all';
  await optOut(subscriber, { scope, source: oneClick.test(body) ? 'one_click' : 'link' });
  const { email, address } = subscriber;
  return donePage({ sender: email.from, address, hasList: email.suppressionKey !== null }, scope);
});
