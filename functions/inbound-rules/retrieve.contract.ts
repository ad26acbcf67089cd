/** Contract of `GET /inbound-rules/{inbound_rule_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { inboundRuleSchema } from '../../lib/http/presenters/inbound-rule.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrieveInboundRuleOperation = operation({
  id: 'inbound-rules.retrieve',
  method: 'GET',
  path: '/api/v2/inbound-rules/{inbound_rule_id}',
  summary: 'Retrieve an inbound rule',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ inbound_rule_id: idSchema('rul') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The rule.', body: inboundRuleSchema } },
  problems: [],
});
