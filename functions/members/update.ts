/** Changes a member of the caller's workspace. */
import { presentMember } from '../../lib/http/presenters/member.ts';
import { serve } from '../../lib/http/serve.ts';
import { changeMember } from '../../lib/services/members/members.ts';
import { updateMemberOperation } from './update.contract.ts';

export const handler = serve(updateMemberOperation, async ({ caller, params, body }) => {
  const change = { role: body.role, outageMail: body.outage_mail };
  const member = await changeMember(caller.workspaceId, params.member_id, change, caller);
  return { status: 200, body: presentMember(member) };
});
