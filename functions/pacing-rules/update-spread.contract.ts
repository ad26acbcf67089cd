/** Contract of `PATCH /pacing-rules/spread`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { spreadSchema } from '../../lib/http/presenters/pacing-rule.ts';

export const updatePacingSpreadOperation = operation({
  id: 'pacing-rules.update-spread',
  method: 'PATCH',
  path: '/api/v2/pacing-rules/spread',
  summary: 'Update the spread of pacing',
  description:
    'Sets how evenly limits spread emails over time. Applies to the limits of all rules of the workspace, within a ' +
    'minute also to held emails.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: spreadSchema.meta({
    description: 'The new spread.',
    examples: [{ spread: 20 }],
  }),
  responses: { 200: { description: 'The spread.', body: spreadSchema } },
  problems: [],
});
