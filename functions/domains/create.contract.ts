/** Contract of `POST /domains`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { domainWithRecordsSchema } from '../../lib/http/presenters/domain.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const createDomainOperation = operation({
  id: 'domains.create',
  method: 'POST',
  path: '/api/v2/domains',
  summary: 'Add a domain',
  description:
    'Returns the DNS records to publish. Several workspaces can add the same name; each has its own DKIM key. A wildcard ' +
    '`*.name` receives mail for every name below it. A name one label below a wildcard of the workspace becomes a ' +
    'subdomain: it has no records and is verified with its parent.',
  scope: 'full',
  budget: 'provision',
  access: ['table:query', 'table:put', 'table:update', 'table:check', 'secrets:encrypt:dkim-key'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      name: z.string().min(1).max(255).describe('A domain such as `acme.dev`, or a wildcard `*.acme.dev`.'),
      region: z.string().optional().describe('The AWS Region that sends and receives its mail.'),
      space_id: idSchema('spc').nullable().default(null),
    })
    .meta({ id: 'CreateDomain', examples: [{ name: 'acme.dev', region: 'us-east-1' }] }),
  responses: { 201: { description: 'The domain with its records.', body: domainWithRecordsSchema } },
  problems: [
    'invalid_domain',
    'unknown_region',
    'reserved_domain',
    'reserved_subdomain',
    'domain_taken',
    'limit_reached',
  ],
  memoryMb: 1024,
});
