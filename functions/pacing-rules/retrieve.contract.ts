/** Contract of `GET /pacing-rules/{rule_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { pacingRuleSchema } from '../../lib/http/presenters/pacing-rule.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrievePacingRuleOperation = operation({
  id: 'pacing-rules.retrieve',
  method: 'GET',
  path: '/api/v2/pacing-rules/{rule_id}',
  summary: 'Retrieve a pacing rule',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ rule_id: idSchema('pace') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The rule.', body: pacingRuleSchema } },
  problems: [],
});
