/** Contract of `GET /domains/{domainId}` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1DomainSchema } from '../../../lib/http/presenters/v1/domain.ts';
import { idSchema } from '../../../lib/http/schemas.ts';
import { retrieveDomainOperation } from '../../domains/retrieve.contract.ts';

export const retrieveV1DomainOperation = operation({
  id: 'v1.domains.retrieve',
  method: 'GET',
  path: '/api/v1/domains/{domainId}',
  summary: 'Retrieve a domain with its records',
  description: 'Returns a domain with its DNS records, and what the last check found.',
  scope: 'read',
  budget: 'read',
  access: retrieveDomainOperation.access,
  params: z.strictObject({ domainId: idSchema('dom') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The domain.', body: v1DomainSchema } },
  problems: retrieveDomainOperation.problems,
});
