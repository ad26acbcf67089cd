/** `GET /u/{token}`: the unsubscribe page. It changes nothing, since scanners follow links too. */
import { Problem } from '../../lib/core/problems.ts';
import { choicePage } from '../../lib/http/pages/unsubscribe.ts';
import { pageOf, servePage } from '../../lib/http/serve-page.ts';
import { findSubscriber } from '../../lib/services/suppressions/opt-out.ts';

const subject = 'unsubscribe link';

export const handler = servePage('unsubscribe-page', { subject }, async (request) => {
  const subscriber = await findSubscriber(request.params.token ?? '');
  if (!subscriber) {
    // A page for whoever opens the link, without a look at `Accept`.
    const problem = new Problem('not_found', 'The link was not made here, or its email was deleted.');
    return pageOf('unsubscribe-page', problem, { ...request, subject });
  }
  const { email, address } = subscriber;
  const hasList = email.suppressionKey !== null;
  return choicePage({ sender: email.from, address, hasList }, request.language);
});
