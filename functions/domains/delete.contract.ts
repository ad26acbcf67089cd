/** Contract of `DELETE /domains/{domain_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const deleteDomainOperation = operation({
  id: 'domains.delete',
  method: 'DELETE',
  path: '/api/v2/domains/{domain_id}',
  summary: 'Delete a domain',
  description: 'With a wildcard its subdomains go too. Mail that was sent and received stays.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:delete'],
  params: z.strictObject({ domain_id: idSchema('dom') }),
  query: z.strictObject({}),
  body: null,
  answers: { 204: { description: 'The domain is gone.', body: null } },
  problems: ['domain_provided'],
});
