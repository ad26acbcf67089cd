/** Contract of `POST /domains`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { domainWithRecordsSchema } from '../../lib/http/presenters/domain.ts';
import { spaceId } from '../../lib/http/schemas.ts';

export const createDomainOperation = operation({
  id: 'domains.create',
  method: 'POST',
  path: '/api/v2/domains',
  summary: 'Add a domain',
  description:
    'Adds a domain and returns the DNS records to publish. It can send once its DKIM record is found, which is ' +
    'looked for in the background and by `POST /domains/{domain_id}/verify`. Several workspaces can add the same ' +
    'name; each has its own DKIM key. A wildcard `*.name` receives mail for every name below it. A name one label ' +
    'below a wildcard of the workspace becomes a subdomain: it has no records and is verified with its parent.',
  scope: 'full',
  budget: 'provision',
  access: ['table:query', 'table:put', 'table:update', 'table:check', 'secrets:encrypt:dkim-key'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      name: z
        .string()
        .min(1)
        .max(255)
        .meta({
          examples: ['acme.dev'],
          description: 'A domain such as `acme.dev`, or a wildcard `*.acme.dev`.',
        }),
      region: z
        .string()
        .optional()
        .meta({
          // Any other text is refused with `unknown_region`.
          pattern: '^[a-z]+(-[a-z]+)+-[0-9]$',
          examples: ['us-east-1'],
          description:
            'The AWS Region that sends and receives its mail, one of the deployment; without it, the first of these.',
        }),
      space_id: spaceId.default(null),
    })
    .meta({
      description: 'The domain to add.',
      examples: [{ name: 'acme.dev', region: 'us-east-1' }],
    }),
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
