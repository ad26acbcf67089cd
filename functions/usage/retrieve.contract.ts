/** Contract of `GET /usage`. */
import * as z from 'zod';
import { usageDaysMax } from '../../lib/core/workspaces/usage.ts';
import { operation } from '../../lib/http/contract.ts';
import { usageSchema } from '../../lib/http/presenters/usage.ts';
import { integerQuery } from '../../lib/http/schemas.ts';

const daysDefault = 30;

export const retrieveUsageOperation = operation({
  id: 'usage.retrieve',
  method: 'GET',
  path: '/api/v2/usage',
  summary: 'Retrieve usage by day',
  description: 'Numbers of events for each of the last days in UTC, today included.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({
    days: integerQuery({ min: 1, max: usageDaysMax })
      .default(daysDefault)
      .meta({ default: daysDefault, description: 'Number of days.' }),
  }),
  body: null,
  responses: { 200: { description: 'The days, the oldest first.', body: usageSchema } },
  problems: [],
});
