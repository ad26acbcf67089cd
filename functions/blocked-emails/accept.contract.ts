/** Contract of `POST /blocked-emails/{blocked_email_id}/accept`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const acceptBlockedEmailOperation = operation({
  id: 'blocked-emails.accept',
  method: 'POST',
  path: '/api/v2/blocked-emails/{blocked_email_id}/accept',
  summary: 'Accept a blocked email',
  description:
    'Lets in a message that inbound rules have blocked, as `email.blocked` names it: it is received within seconds, with ' +
    '`email.received`, as if there were no rules. The rules stay as they are. A message that was accepted before stays one ' +
    'email. Blocked messages are kept for 30 days.',
  scope: 'full',
  budget: 'read',
  access: ['table:put'],
  params: z.strictObject({ blocked_email_id: idSchema('blk') }),
  query: z.strictObject({}),
  body: null,
  responses: { 204: { description: 'The message will be received.', body: null } },
  problems: ['not_found'],
});
