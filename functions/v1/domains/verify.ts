/** Checks the DNS records of a domain, in version 1. */
import { presentV1Verification } from '../../../lib/http/presenters/v1/domain.ts';
import { serve } from '../../../lib/http/serve.ts';
import { verifyWithReport } from '../../../lib/services/domains/verify-v1.ts';
import { verifyV1DomainOperation } from './verify.contract.ts';

export const handler = serve(verifyV1DomainOperation, async ({ caller, params }) => {
  const verified = await verifyWithReport(caller.workspaceId, params.domainId);
  return { status: 200, body: presentV1Verification(verified) };
});
