/** Contract of `GET /domains/{domain_id}/diagnostics`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { domainFindingSchema } from '../../lib/http/presenters/domain-finding.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const diagnoseDomainOperation = operation({
  id: 'domains.diagnose',
  method: 'GET',
  path: '/api/v2/domains/{domain_id}/diagnostics',
  summary: "Diagnose a domain's DNS records",
  description:
    'Looks the records up now, and says what is wrong, why it matters, and which record to publish. Changes nothing: ' +
    '`POST /domains/{domain_id}/verify` updates the states of the records. The list is empty where all is well, and for a ' +
    'provided domain. A subdomain is diagnosed with the records of its parent. The answer takes up to ten seconds where ' +
    'DNS does not answer.',
  scope: 'read',
  budget: 'provision',
  access: ['table:query'],
  params: z.strictObject({ domain_id: idSchema('dom') }),
  query: z.strictObject({}),
  body: null,
  responses: {
    200: {
      description: 'The findings.',
      body: z
        .strictObject({
          data: z.array(domainFindingSchema).describe('The faults that were found; empty where all is well.'),
        })
        .meta({ id: 'DomainDiagnostics', description: 'What DNS has for a domain, as far as it is wrong.' }),
    },
  },
  problems: [],
});
