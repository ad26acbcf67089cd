/** Contract of `GET /domains`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { domainSchema } from '../../lib/http/presenters/domain.ts';
import { pageOf, pageQuery, spaceQuery } from '../../lib/http/schemas.ts';

export const listDomainsOperation = operation({
  id: 'domains.list',
  method: 'GET',
  path: '/api/v2/domains',
  summary: 'List domains, oldest first',
  description: 'Lists the domains without their records.',
  scope: 'read',
  budget: 'read',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({ ...pageQuery, ...spaceQuery }),
  body: null,
  responses: {
    200: { description: 'A page of domains, without their records.', body: pageOf(domainSchema) },
  },
  problems: [],
});
