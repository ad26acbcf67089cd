/** Contract of `POST /domains` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1DnsRecordSchema } from '../../../lib/http/presenters/v1/domain.ts';
import { idSchema } from '../../../lib/http/schemas.ts';
import { createDomainOperation } from '../../domains/create.contract.ts';

/** Labels of letters, digits and inner hyphens (RFC 1035, 2.3.1); the last one of letters. */
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

export const createV1DomainOperation = operation({
  id: 'v1.domains.create',
  method: 'POST',
  path: '/api/v1/domains',
  summary: 'Add a domain',
  description:
    'Adds a domain and returns the DNS records to publish. It can send once its DKIM record is found, which is ' +
    'looked for in the background and by `POST /domains/{domainId}/verify`. The domain belongs to no Space.',
  scope: 'full',
  budget: 'provision',
  access: createDomainOperation.access,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      domain: z
        .string()
        .min(1)
        .max(253, { abort: true })
        .regex(domainName, 'must be a domain name such as acme.dev')
        .meta({ examples: ['acme.dev'], description: 'Name of the domain; wildcards need version 2.' }),
    })
    .meta({ description: 'The domain to add.', examples: [{ domain: 'acme.dev' }] }),
  responses: {
    200: {
      description: 'The id of the domain, and its records.',
      body: z
        .strictObject({
          domainId: idSchema('dom'),
          records: z.array(v1DnsRecordSchema).describe('DNS records to publish.'),
        })
        .meta({ id: 'V1CreatedDomain', description: 'A new domain with the records to publish.' }),
    },
  },
  problems: createDomainOperation.problems,
  memoryMb: 1024,
});
