/** Contract of `GET /inbound-rules`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { inboundRuleSchema } from '../../lib/http/presenters/inbound-rule.ts';
import { pageOf, pageQuery, spaceQuery } from '../../lib/http/schemas.ts';

export const listInboundRulesOperation = operation({
  id: 'inbound-rules.list',
  method: 'GET',
  path: '/api/v2/inbound-rules',
  summary: 'List inbound rules',
  description: 'Lists the inbound rules, oldest first.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({ ...pageQuery, ...spaceQuery }),
  body: null,
  responses: { 200: { description: 'A page of rules.', body: pageOf(inboundRuleSchema) } },
  problems: [],
});
