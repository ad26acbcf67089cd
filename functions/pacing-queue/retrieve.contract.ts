/** Contract of `GET /pacing-queue`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { pacingQueueSchema } from '../../lib/http/presenters/pacing-queue.ts';
import { integerQuery } from '../../lib/http/schemas.ts';

export const retrievePacingQueueOperation = operation({
  id: 'pacing-queue.retrieve',
  method: 'GET',
  path: '/api/v2/pacing-queue',
  summary: 'Retrieve the queue of held emails',
  description:
    'Returns the oldest held emails, with the rule that each waits for and the time at which it leaves if nothing ' +
    'changes. Where more emails are held than `limit`, the response is a sample: `sampled` is below `total`.',
  scope: 'read',
  budget: 'query',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({
    limit: integerQuery({ min: 1, max: limits.pacingQueue })
      .default(limits.pacingQueueDefault)
      .meta({ default: limits.pacingQueueDefault, description: 'Maximum number of emails in `data`.' }),
  }),
  body: null,
  responses: { 200: { description: 'The queue.', body: pacingQueueSchema } },
  problems: [],
  // The projection of 2,000 emails needs CPU, which Lambda allocates in proportion to memory ("Configure Lambda function memory").
  memoryMb: 1769,
  timeoutSeconds: 29,
});
