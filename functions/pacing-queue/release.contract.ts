/** Contract of `POST /pacing-queue/release`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { releasedSchema } from '../../lib/http/presenters/pacing-queue.ts';
import { exampleId, idsInput } from '../../lib/http/schemas.ts';

export const releasePacingQueueOperation = operation({
  id: 'pacing-queue.release',
  method: 'POST',
  path: '/api/v2/pacing-queue/release',
  summary: 'Release held emails',
  description:
    'Sends held emails at once, whatever their rules. Emails that are not held or not of the workspace, and what is ' +
    'no email id, are left out of the response.',
  scope: 'full',
  budget: 'query',
  access: ['table:put', 'table:update', 'table:delete'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      email_ids: idsInput('eml', limits.releasedEmails).describe('Held emails to send now, in any order.'),
      count_toward_limits: z
        .boolean()
        .default(true)
        .describe('Whether the emails count for the limits of their rules, so that others wait for longer.'),
    })
    .meta({
      description: 'The held emails to release.',
      examples: [{ email_ids: [exampleId('eml')] }],
    }),
  responses: { 200: { description: 'The released emails.', body: releasedSchema } },
  problems: [],
  timeoutSeconds: 29,
});
