/** `GET /connect/callback/{provider}`: connects the mailbox that was authorized, and sends the browser back. */
import { redirectTo } from '../../lib/http/pages/click.ts';
import { connectedPage } from '../../lib/http/pages/connect.ts';
import { connectFacts } from '../../lib/http/pages/connect-facts.ts';
import { problemPage } from '../../lib/http/pages/problem.ts';
import { servePage } from '../../lib/http/serve-page.ts';
import { completeConnection } from '../../lib/services/mailboxes/complete-connection.ts';
import { askerOfConsent, askerOfState } from '../../lib/services/mailboxes/connection-asker.ts';

export const handler = servePage(
  'connect-callback',
  {
    subject: 'connection',
    facts: async ({ query }) => connectFacts(await askerOfState(query.get('state') ?? '')),
  },
  async ({ params, query, language, requestId }) => {
    const { workspaceId, consent, location, outcome } = await completeConnection({
      provider: params.provider ?? '',
      state: query.get('state') ?? '',
      code: query.get('code'),
      error: query.get('error'),
    });
    if (location !== null) return redirectTo(location);
    if (outcome.status === 'connected') return connectedPage(outcome.address, language);
    const facts = connectFacts(await askerOfConsent(workspaceId, consent));
    const code = outcome.status === 'error' ? outcome.code : 'denied';
    return problemPage({ subject: 'connection', code, status: 200, language, requestId, facts });
  },
);
