/** Contract of `POST /emails/{emailId}/send` of version 1. */
import * as z from 'zod';
import { operation } from '../../../lib/http/contract.ts';
import { v1SentSchema } from '../../../lib/http/presenters/v1/outgoing.ts';
import { idSchema } from '../../../lib/http/schemas.ts';
import { acceptanceProblems } from '../../../lib/http/send-operation.ts';
import { v1Accepting } from '../../../lib/http/v1-send-operation.ts';

export const sendV1DraftOperation = operation({
  id: 'v1.emails.send-draft',
  method: 'POST',
  path: '/api/v1/emails/{emailId}/send',
  summary: 'Send a draft',
  description:
    'Sends a stored draft in the background. The email keeps its ids. A draft is sent once: a repeated request ' +
    'answers the same and sends nothing, so that it needs no `Idempotency-Key`. An email that never was a draft, or ' +
    'was discarded, is refused.',
  ...v1Accepting,
  scope: 'sending',
  params: z.strictObject({ emailId: idSchema('eml') }),
  query: z.strictObject({}),
  body: null,
  responses: { 200: { description: 'The email was accepted.', body: v1SentSchema } },
  problems: [...acceptanceProblems, 'thread_not_found', 'not_draft'],
});
