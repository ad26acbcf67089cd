/** Contract of `DELETE /domains/{domainId}` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1SuccessSchema } from '../../../lib/http/presenters/v1/success.ts';
import { idSchema } from '../../../lib/http/schemas.ts';
import { deleteDomainOperation } from '../../domains/delete.contract.ts';

export const deleteV1DomainOperation = operation({
  id: 'v1.domains.delete',
  method: 'DELETE',
  path: '/api/v1/domains/{domainId}',
  summary: 'Delete a domain',
  description:
    'Deletes a domain: it neither sends nor receives any more. Deleting a wildcard also deletes its subdomains. Sent ' +
    'and received mail remains.',
  scope: 'full',
  budget: 'read',
  access: deleteDomainOperation.access,
  params: z.strictObject({ domainId: idSchema('dom') }),
  query: z.strictObject({}),
  body: null,
  responses: {
    200: {
      description: 'The domain is deleted.',
      body: v1SuccessSchema,
    },
  },
  problems: deleteDomainOperation.problems,
});
