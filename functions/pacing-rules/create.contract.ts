/** Contract of `POST /pacing-rules`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { newPacingRuleInput, pacingRuleSchema } from '../../lib/http/presenters/pacing-rule.ts';

export const createPacingRuleOperation = operation({
  id: 'pacing-rules.create',
  method: 'POST',
  path: '/api/v2/pacing-rules',
  summary: 'Create a pacing rule',
  description:
    'Creates a rule that holds emails until its hours or its limit let them leave. An email leaves when every ' +
    'enabled rule that matches it allows it. A limit is a rolling window: no `per_seconds` have more than `amount` ' +
    'emails of one scope value, and these are spread evenly. Allowance is used up when an email leaves, not when it ' +
    'is accepted. Held emails keep the status `queued` and leave oldest first. The rule applies to sends from the ' +
    'next one on, and to emails that are held already within a minute. A workspace can have 100 rules.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:update'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: newPacingRuleInput.meta({
    description: 'A new rule, with `limit` or `schedule` as its `kind` says.',
    examples: [
      {
        name: 'Slow start',
        match: [{ field: 'to', pattern: '*@example.com' }],
        kind: 'limit',
        limit: { scope: 'to_domain', amount: 100, per_seconds: 3600 },
      },
      {
        name: 'Office hours',
        match: [],
        kind: 'hours',
        schedule: {
          timezone: 'Europe/Berlin',
          windows: [{ days: [1, 2, 3, 4, 5], start_minute: 540, end_minute: 1020 }],
        },
      },
    ],
  }),
  responses: { 201: { description: 'The rule.', body: pacingRuleSchema } },
  problems: ['limit_reached', 'not_found'],
});
