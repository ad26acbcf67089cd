/** Adds a member to the caller's workspace. */
import { presentMember } from '../../lib/http/presenters/member.ts';
import { serve } from '../../lib/http/serve.ts';
import { addMember } from '../../lib/services/members/members.ts';
import { createMemberOperation } from './create.contract.ts';

export const handler = serve(createMemberOperation, async ({ caller, body }) => {
  const { email, role, outage_mail: outageMail } = body;
  const member = await addMember(caller.workspaceId, { email, role, outageMail }, caller);
  return { status: 201, body: presentMember(member) };
});
