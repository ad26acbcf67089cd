/** Contract of `GET /members`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { memberSchema } from '../../lib/http/presenters/member.ts';
import { pageOf, pageQuery } from '../../lib/http/schemas.ts';

export const listMembersOperation = operation({
  id: 'members.list',
  method: 'GET',
  path: '/api/v2/members',
  summary: 'List members',
  description: 'Lists the members of the workspace by email address.',
  scope: 'full',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject(pageQuery),
  body: null,
  responses: { 200: { description: 'A page of members.', body: pageOf(memberSchema) } },
  problems: [],
});
