/** Contract of `POST /domains/{domain_id}/verify`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { domainWithRecordsSchema } from '../../lib/http/presenters/domain.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const verifyDomainOperation = operation({
  id: 'domains.verify',
  method: 'POST',
  path: '/api/v2/domains/{domain_id}/verify',
  summary: "Check a domain's DNS records now",
  description:
    'Looks the records up in DNS, and updates their states and `verified_at`, which depends on the DKIM record only. ' +
    'A record whose lookup fails keeps its state. A verified domain sends mail as soon as Amazon SES has also found ' +
    'the record, usually within minutes; until then, mail of the domain stays `queued`.',
  scope: 'full',
  budget: 'provision',
  access: ['table:put', 'table:update'],
  params: z.strictObject({ domain_id: idSchema('dom') }),
  query: z.strictObject({}),
  body: null,
  responses: {
    200: { description: 'The domain with the states of its records.', body: domainWithRecordsSchema },
  },
  problems: [],
});
