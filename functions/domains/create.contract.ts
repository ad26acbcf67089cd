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
    'Answers the DNS records to publish. Several workspaces may hold one name, each with a DKIM key of its own. ' +
    '`*.name` takes in mail for every name below; a name one label below such a wildcard of the workspace becomes a ' +
    'subdomain: without records, verified with its parent.',
  scope: 'full',
  budget: 'provision',
  access: ['table:put', 'table:check', 'secrets:encrypt'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    name: z.string().min(1).max(255).describe('A domain such as `acme.dev`, or a wildcard `*.acme.dev`.'),
    region: z.string().optional().describe('Where its mail is sent and received.'),
    space_id: idSchema('spc').nullable().default(null),
  }),
  answers: { 201: { description: 'The domain with its records.', body: domainWithRecordsSchema } },
  problems: ['invalid_domain', 'unknown_region', 'reserved_domain', 'reserved_subdomain', 'domain_taken'],
  memoryMb: 1024,
});
