/** Answers the URL of a live connection. */
import { timestampOf } from '../../lib/http/schemas.ts';
import { serve } from '../../lib/http/serve.ts';
import { openTicket } from '../../lib/services/live/tickets.ts';
import { openLiveOperation } from './open.contract.ts';

export const handler = serve(openLiveOperation, async ({ caller }) => {
  const { url, endsAt } = await openTicket(caller);
  return { status: 201, body: { url, expires_at: timestampOf(endsAt) } };
});
