/** Begins to connect a mailbox. */
import { redirectUriOf } from '../../lib/http/presenters/oauth-app.ts';
import { serve } from '../../lib/http/serve.ts';
import { beginConnection } from '../../lib/services/mailboxes/begin-connection.ts';
import { connectMailboxOperation } from './connect.contract.ts';

export const handler = serve(connectMailboxOperation, async ({ caller, body, baseUrl }) => {
  const { provider, return_to: returnTo, space_id: spaceId, region } = body;
  const request = {
    provider,
    returnTo,
    appId: body.app_id ?? null,
    spaceId,
    ref: body.ref ?? null,
    region,
    backfillDays: body.backfill_days,
  };
  const url = await beginConnection(caller.workspaceId, request, redirectUriOf(baseUrl, provider));
  return { status: 201, body: { url } };
});
