/** Contract of `GET /pacing-rules/spread`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { spreadSchema } from '../../lib/http/presenters/pacing-rule.ts';

export const retrievePacingSpreadOperation = operation({
  id: 'pacing-rules.retrieve-spread',
  method: 'GET',
  path: '/api/v2/pacing-rules/spread',
  summary: 'Retrieve the spread of pacing',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The spread.', body: spreadSchema } },
  problems: [],
});
