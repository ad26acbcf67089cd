/** Retrieves an email or a draft, in version 1. */
import { presentV1Details } from '../../../lib/http/presenters/v1/email.ts';
import { serve } from '../../../lib/http/serve.ts';
import { getV1Email } from '../../../lib/services/reading/v1-emails.ts';
import { retrieveV1EmailOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveV1EmailOperation, async ({ caller, params }) => {
  return { status: 200, body: presentV1Details(await getV1Email(caller.workspaceId, params.emailId)) };
});
