/** `GET /connect/callback/{provider}`: connects the mailbox that was authorized, and sends the browser back. */
import { redirectTo } from '../../lib/http/pages/click.ts';
import { outcomePage } from '../../lib/http/pages/connect.ts';
import { problemDescriptions } from '../../lib/http/problem-descriptions.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { completeConnection } from '../../lib/services/mailboxes/complete-connection.ts';

export const handler = servePage('connect-callback', async ({ params, query }) => {
  const { location, outcome } = await completeConnection({
    provider: params.provider ?? '',
    state: query.get('state') ?? '',
    code: query.get('code'),
    error: query.get('error'),
  });
  if (location !== null) return redirectTo(location);
  if (outcome.status === 'connected') return outcomePage({ address: outcome.address });
  return outcomePage({
    problem: outcome.status === 'error' ? problemDescriptions[outcome.code].cause : null,
  });
});
