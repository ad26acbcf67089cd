/** Contract of `PATCH /inbound-rules/{inbound_rule_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { inboundRuleChange, inboundRuleSchema } from '../../lib/http/presenters/inbound-rule.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updateInboundRuleOperation = operation({
  id: 'inbound-rules.update',
  method: 'PATCH',
  path: '/api/v2/inbound-rules/{inbound_rule_id}',
  summary: 'Update an inbound rule',
  description: 'Changes the action or the note, from the next message on. Pattern and scope are fixed.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update', 'table:delete', 'table:check'],
  params: z.strictObject({ inbound_rule_id: idSchema('rul') }),
  query: z.strictObject({}),
  body: inboundRuleChange.meta({
    description: 'The fields to change, at least one.',
    minProperties: 1,
    examples: [{ action: 'allow' }],
  }),
  responses: { 200: { description: 'The updated rule.', body: inboundRuleSchema } },
  problems: [],
});
