/** Retrieves a thread with its emails, in version 1. */
import { presentV1Details } from '../../../lib/http/presenters/v1/email.ts';
import { serve } from '../../../lib/http/serve.ts';
import { getV1Thread } from '../../../lib/services/reading/v1-threads.ts';
import { retrieveV1ThreadOperation } from './retrieve.contract.ts';

export const handler = serve(retrieveV1ThreadOperation, async ({ caller, params }) => {
  const { thread, emails } = await getV1Thread(caller.workspaceId, params.threadId, presentV1Details);
  const { id, createdAt, subject } = thread;
  return {
    status: 200,
    body: { id, createdAt: new Date(createdAt).toISOString(), subject: subject || null, emails },
  };
});
