/** Contract of `POST /domains/{domain_id}/verify`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { domainWithRecordsSchema } from '../../lib/http/presenters/domain.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const verifyDomainOperation = operation({
  id: 'domains.verify',
  method: 'POST',
  path: '/api/v2/domains/{domain_id}/verify',
  summary: "Look a domain's records up in DNS now",
  description:
    '`verified_at` follows the DKIM record alone; the other records are reported. A record whose look-up fails keeps ' +
    'its state. Once verified, the domain sends as soon as SES has seen the record too, usually within minutes; mail ' +
    'sent before that stays `queued` until then.',
  scope: 'full',
  budget: 'provision',
  access: ['table:put', 'table:update'],
  params: z.strictObject({ domain_id: idSchema('dom') }),
  query: z.strictObject({}),
  body: null,
  answers: { 200: { description: 'The domain as it was found.', body: domainWithRecordsSchema } },
  problems: [],
});
