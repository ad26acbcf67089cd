/** Contract of `GET /domains` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1DomainSchema } from '../../../lib/http/presenters/v1/domain.ts';
import { listDomainsOperation } from '../../domains/list.contract.ts';

export const listV1DomainsOperation = operation({
  id: 'v1.domains.list',
  method: 'GET',
  path: '/api/v1/domains',
  summary: 'List domains, oldest first',
  description: 'Lists the domains of all Spaces with their records.',
  scope: 'read',
  budget: 'query',
  access: listDomainsOperation.access,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: null,
  responses: {
    200: {
      description: 'The domains.',
      body: z
        .strictObject({
          domains: z.array(v1DomainSchema).describe('All domains of the workspace, oldest first.'),
        })
        .meta({ id: 'V1Domains', description: 'The domains of the workspace.' }),
    },
  },
  problems: listDomainsOperation.problems,
});
