/** Contract of `DELETE /pacing-rules/{rule_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deletePacingRuleOperation = operation({
  id: 'pacing-rules.delete',
  method: 'DELETE',
  path: '/api/v2/pacing-rules/{rule_id}',
  summary: 'Delete a pacing rule',
  description:
    'Deletes a rule: the emails that it holds go on within a minute, unless another rule holds them.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:update', 'table:delete'],
  params: z.strictObject({ rule_id: idSchema('pace') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The rule is deleted.', body: null } },
  problems: [],
});
