/** `GET /u/{token}`: the unsubscribe page. It changes nothing, since scanners follow links too. */
import { Problem } from '../../lib/core/problems.ts';
import { choicePage } from '../../lib/http/pages/unsubscribe.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { findSubscriber } from '../../lib/services/suppressions/opt-out.ts';

const route = { subject: 'unsubscribe link', isLinkOfMail: true } as const;

export const handler = servePage('unsubscribe-page', route, async (request) => {
  const subscriber = await findSubscriber(request.params.token ?? '');
  if (!subscriber) throw new Problem('not_found', 'The link was not made here, or its email was deleted.');
  const { email, address } = subscriber;
  const hasList = email.suppressionKey !== null;
  return choicePage({ sender: email.from, address, hasList }, request.language);
});
