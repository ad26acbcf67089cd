/** `POST /u/{token}`: unsubscribes, by the form of the page or by one-click (RFC 8058, section 3.2). */
import { Problem } from '../../lib/core/problems.ts';
import { donePage } from '../../lib/http/pages/unsubscribe.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { findSubscriber, optOut } from '../../lib/services/suppressions/opt-out.ts';

/** Form-encoded, or as a part of `multipart/form-data`. */
const oneClick = /List-Unsubscribe"?(?:=|\s+)One-Click/i;
const optionalOnly = /(?:^|&)scope=optional(?:&|$)/;
const route = { subject: 'unsubscribe link', isLinkOfMail: true } as const;

export const handler = servePage('unsubscribe', route, async (request) => {
  const { body, language, params } = request;
  const subscriber = await findSubscriber(params.token ?? '');
  if (!subscriber) throw new Problem('not_found', 'The link was not made here, or its email was deleted.');
  const scope = optionalOnly.test(body) ? 'optional' : 'all';
  await optOut(subscriber, { scope, source: oneClick.test(body) ? 'one_click' : 'link' });
  const { email, address } = subscriber;
  const hasList = email.suppressionKey !== null;
  return donePage({ sender: email.from, address, hasList }, scope, language);
});
