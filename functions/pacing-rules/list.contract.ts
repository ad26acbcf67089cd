/** Contract of `GET /pacing-rules`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { pacingRuleSchema } from '../../lib/http/presenters/pacing-rule.ts';
import { pageOf, pageQuery, spaceQuery } from '../../lib/http/schemas.ts';

export const listPacingRulesOperation = operation({
  id: 'pacing-rules.list',
  method: 'GET',
  path: '/api/v2/pacing-rules',
  summary: 'List pacing rules',
  description: 'Lists the pacing rules, oldest first.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({ ...pageQuery, ...spaceQuery }),
  body: null,
  responses: { 200: { description: 'A page of rules.', body: pageOf(pacingRuleSchema) } },
  problems: [],
});
