/** Lists the members of the caller's workspace. */
import { presentMember } from '../../lib/http/presenters/member.ts';
import { serve } from '../../lib/http/serve.ts';
import { listMembers } from '../../lib/services/members/members.ts';
import { listMembersOperation } from './list.contract.ts';

export const handler = serve(listMembersOperation, async ({ caller, page, nextCursor }) => {
  const { items, next } = await listMembers(caller.workspaceId, page());
  return { status: 200, body: { data: items.map(presentMember), next_cursor: await nextCursor(next) } };
});
