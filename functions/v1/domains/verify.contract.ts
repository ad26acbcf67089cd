/** Contract of `POST /domains/{domainId}/verify` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1VerifiedDomainSchema } from '../../../lib/http/presenters/v1/domain.ts';
import { idSchema } from '../../../lib/http/schemas.ts';
import { diagnoseDomainOperation } from '../../domains/diagnose.contract.ts';
import { verifyDomainOperation } from '../../domains/verify.contract.ts';

export const verifyV1DomainOperation = operation({
  id: 'v1.domains.verify',
  method: 'POST',
  path: '/api/v1/domains/{domainId}/verify',
  summary: "Check a domain's DNS records now",
  description:
    'Updates the status of the domain and the flags of its records, and reports what DNS has. A subdomain of a wildcard ' +
    'is verified by the records of the wildcard. The answer takes up to ten seconds where DNS does not answer.',
  scope: 'full',
  budget: 'provision',
  access: [...verifyDomainOperation.access, ...diagnoseDomainOperation.access],
  params: z.strictObject({ domainId: idSchema('dom') }),
  query: z.strictObject({}),
  body: null,
  responses: {
    200: { description: 'The domain, and what DNS has.', body: v1VerifiedDomainSchema },
  },
  problems: [],
});
