/** Contract of `POST /inbound-rules`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { inboundRuleSchema, newInboundRuleInput } from '../../lib/http/presenters/inbound-rule.ts';

export const createInboundRuleOperation = operation({
  id: 'inbound-rules.create',
  method: 'POST',
  path: '/api/v2/inbound-rules',
  summary: 'Create an inbound rule',
  description:
    'Creates a rule that blocks or allows senders, from the next message on. The rules of the narrowest scope that say ' +
    'anything decide: those of the address, of the Space, of the workspace; in one scope `block` wins. A scope with an ' +
    '`allow` rule blocks every sender that no `allow` rule of it matches. A workspace can have 10,000 rules.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update', 'table:check'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: newInboundRuleInput.meta({
    description: 'A new rule.',
    examples: [{ action: 'block', pattern: '@spam.example' }],
  }),
  responses: { 201: { description: 'The rule.', body: inboundRuleSchema } },
  problems: ['limit_reached', 'not_found'],
});
