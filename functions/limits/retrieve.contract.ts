/** Contract of `GET /limits`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { workspaceLimitsSchema } from '../../lib/http/presenters/workspace-limits.ts';

export const retrieveLimitsOperation = operation({
  id: 'limits.retrieve',
  method: 'GET',
  path: '/api/v2/limits',
  summary: 'Retrieve limits',
  description:
    'The limits of the workspace and how much of each is used: request budget, caps on recipients, counted resources; the rate at which its mail regions send; and whether its sending is suspended.',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The limits.', body: workspaceLimitsSchema } },
  problems: [],
});
