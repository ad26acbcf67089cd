/** Contract of `DELETE /inbound-rules/{inbound_rule_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteInboundRuleOperation = operation({
  id: 'inbound-rules.delete',
  method: 'DELETE',
  path: '/api/v2/inbound-rules/{inbound_rule_id}',
  summary: 'Delete an inbound rule',
  description: 'Deletes a rule: it does not count for the next message.',
  scope: 'full',
  budget: 'read',
  access: ['table:update', 'table:delete', 'table:put'],
  params: z.strictObject({ inbound_rule_id: idSchema('rul') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The rule is deleted.', body: null } },
  problems: [],
});
