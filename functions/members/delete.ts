/** Removes a member from the caller's workspace. */
import { serve } from '../../lib/http/serve.ts';
import { removeMember } from '../../lib/services/members/members.ts';
import { deleteMemberOperation } from './delete.contract.ts';

export const handler = serve(deleteMemberOperation, async ({ caller, params }) => {
  await removeMember(caller.workspaceId, params.member_id, caller);
  return { status: 204, body: null };
});
