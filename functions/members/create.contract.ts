/** Contract of `POST /members`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { memberSchema, outageMailSchema, roleSchema } from '../../lib/http/presenters/member.ts';
import { bareAddressInput } from '../../lib/http/presenters/outgoing.ts';

export const createMemberOperation = operation({
  id: 'members.create',
  method: 'POST',
  path: '/api/v2/members',
  summary: 'Add a member',
  description:
    'Adds a person, who can ask for a sign-in link at `/console` from then on; no mail is sent. Owners are added by ' +
    'an owner in the console, or by the operator (`npm run admin -- member add`); to others the answer is `403`.',
  scope: 'full',
  budget: 'read',
  access: ['table:query', 'table:put', 'table:check'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      email: bareAddressInput.describe('Address without a display name.'),
      role: roleSchema,
      outage_mail: outageMailSchema.default(true),
    })
    .meta({
      description: 'The address and the role of a new member.',
      examples: [{ email: 'anna@acme.dev', role: 'member' }],
    }),
  responses: { 201: { description: 'The member.', body: memberSchema } },
  problems: ['member_exists', 'limit_reached'],
});
