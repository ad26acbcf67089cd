/** Contract of `PATCH /pacing-rules/{rule_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { pacingRuleFields, pacingRuleSchema } from '../../lib/http/presenters/pacing-rule.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updatePacingRuleOperation = operation({
  id: 'pacing-rules.update',
  method: 'PATCH',
  path: '/api/v2/pacing-rules/{rule_id}',
  summary: 'Update a pacing rule',
  description:
    'Changes the given fields; `kind` and `space_id` are fixed, and `limit` and `schedule` are given whole. The ' +
    'change applies to held emails within a minute. What left under the rule before still counts.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update'],
  params: z.strictObject({ rule_id: idSchema('pace') }),
  query: z.strictObject({}),
  body: z
    .strictObject(pacingRuleFields)
    .partial()
    .meta({
      description: 'The fields to change, at least one.',
      minProperties: 1,
      examples: [{ enabled: false }],
    }),
  responses: { 200: { description: 'The updated rule.', body: pacingRuleSchema } },
  problems: [],
});
