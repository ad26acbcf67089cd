/** Deletes an OAuth app. */
import { serve } from '../../lib/http/serve.ts';
import { deleteApp } from '../../lib/services/mailboxes/oauth-apps.ts';
import { deleteOauthAppOperation } from './delete.contract.ts';

export const handler = serve(deleteOauthAppOperation, async ({ caller, params }) => {
  await deleteApp(caller.workspaceId, params.app_id, caller.actor);
  return { status: 204, body: null };
});
