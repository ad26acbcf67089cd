/** Contract of `GET /domains` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1DomainSchema } from '../../../lib/http/presenters/v1/domain.ts';

export const listV1DomainsOperation = operation({
  id: 'v1.domains.list',
  method: 'GET',
  path: '/api/v1/domains',
  summary: 'List domains, oldest first',
  description: 'The oldest 500 domains of the workspace, in all spaces; version 2 has pages.',
  scope: 'read',
  budget: 'query',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: null,
  responses: {
    200: {
      description: 'The domains.',
      body: z.strictObject({ domains: z.array(v1DomainSchema) }).meta({ id: 'V1Domains' }),
    },
  },
  problems: [],
});
