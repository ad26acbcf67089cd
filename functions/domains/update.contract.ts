/** Contract of `PATCH /domains/{domain_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { domainWithRecordsSchema } from '../../lib/http/presenters/domain.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const updateDomainOperation = operation({
  id: 'domains.update',
  method: 'PATCH',
  path: '/api/v2/domains/{domain_id}',
  summary: 'Change what a domain tracks',
  description:
    'Counts for mail that is accepted from then on. Opens are told by a picture in the html, clicks by its http and ' +
    'https links; links to unsubscribe and links with `data-no-track` are left alone, as is the text. All recipients ' +
    'of a message share its links, so that an engagement tells of the message and not of a recipient. A subdomain of a ' +
    'wildcard has settings of its own.',
  scope: 'full',
  budget: 'read',
  access: ['table:put', 'table:update'],
  params: z.strictObject({ domain_id: idSchema('dom') }),
  query: z.strictObject({}),
  body: z.strictObject({ track_opens: z.boolean().optional(), track_clicks: z.boolean().optional() }),
  answers: { 200: { description: 'The domain as it is now.', body: domainWithRecordsSchema } },
  problems: [],
});
