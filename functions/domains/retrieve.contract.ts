/** Contract of `GET /domains/{domain_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { domainWithRecordsSchema } from '../../lib/http/presenters/domain.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const retrieveDomainOperation = operation({
  id: 'domains.retrieve',
  method: 'GET',
  path: '/api/v2/domains/{domain_id}',
  summary: 'Retrieve a domain with its records',
  description: 'Returns a domain with its DNS records, and what the last check found.',
  scope: 'read',
  budget: 'read',
  access: [],
  params: z.strictObject({ domain_id: idSchema('dom') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The domain.', body: domainWithRecordsSchema } },
  problems: [],
});
