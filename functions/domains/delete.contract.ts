/** Contract of `DELETE /domains/{domain_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteDomainOperation = operation({
  id: 'domains.delete',
  method: 'DELETE',
  path: '/api/v2/domains/{domain_id}',
  summary: 'Delete a domain',
  description:
    'Deletes a domain: it neither sends nor receives any more. Deleting a wildcard also deletes its subdomains. Sent ' +
    'and received mail remains.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:update', 'table:delete'],
  params: z.strictObject({ domain_id: idSchema('dom') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The domain is deleted.', body: null } },
  problems: ['domain_provided'],
});
