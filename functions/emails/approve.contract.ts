/** Contract of `POST /emails/{email_id}/approve`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { approvalInput } from '../../lib/http/presenters/draft.ts';
import { idSchema } from '../../lib/http/schemas.ts';
import { acceptanceAccess, acceptanceProblems, sentEmailSchema } from '../../lib/http/send-operation.ts';

export const approveEmailOperation = operation({
  id: 'emails.approve',
  method: 'POST',
  path: '/api/v2/emails/{email_id}/approve',
  summary: 'Approve a draft',
  description:
    'Accepts a draft as `POST /emails` accepts an email, and sends it in the background; sender, suppressions, caps and ' +
    'pacing are those of now. Give the `version` that was read: an edited draft is then refused with `draft_changed` instead ' +
    'of being sent. A refusal leaves the draft as it was. A repeated approval answers the same and sends nothing.',
  scope: 'sending',
  budget: 'send',
  access: acceptanceAccess,
  params: z.strictObject({ email_id: idSchema('eml') }),
  query: z.strictObject({}),
  body: approvalInput,
  responses: {
    200: {
      description: 'The accepted email.',
      body: sentEmailSchema,
      optionalHeaders: {
        'Idempotent-Replayed': '`true` where the draft was approved before; nothing was sent.',
      },
    },
  },
  problems: [...acceptanceProblems, 'thread_not_found', 'not_draft', 'draft_changed'],
  memoryMb: 1024,
});
