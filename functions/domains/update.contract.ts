/** Contract of `PATCH /domains/{domain_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { domainWithRecordsSchema } from '../../lib/http/presenters/domain.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updateDomainOperation = operation({
  id: 'domains.update',
  method: 'PATCH',
  path: '/api/v2/domains/{domain_id}',
  summary: 'Change the tracking of a domain',
  description:
    'Switches the recording of opens and clicks on or off, for mail that is accepted from then on. Unsubscribe links, ' +
    'links with `data-no-track` and the plain text are not changed. A subdomain of a wildcard has its own settings.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update'],
  params: z.strictObject({ domain_id: idSchema('dom') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      track_opens: z.boolean().optional().describe('Whether sent html gets a pixel that records opens.'),
      track_clicks: z
        .boolean()
        .optional()
        .describe('Whether links of sent html are rewritten to record clicks.'),
    })
    .meta({
      description: 'The settings to change, at least one.',
      minProperties: 1,
      examples: [{ track_opens: true }],
    }),
  responses: { 200: { description: 'The updated domain.', body: domainWithRecordsSchema } },
  problems: [],
});
