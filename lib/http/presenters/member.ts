/** The API record of a member (docs/concepts/members.md). */
import * as z from 'zod';
import { memberRoles } from '../../core/access/access.ts';
import { type Member, memberId } from '../../core/workspaces/workspace.ts';
import { exampleTimestamp, idSchema, text, timestampOrNull, timestampSchema } from '../schemas.ts';

export const roleSchema = z
  .enum(memberRoles)
  .describe(
    'What the member may do in the console: `owner` and `admin` everything, of which only an owner changes owners; `member` reads and sends; `viewer` reads.',
  );

export const outageMailSchema = z
  .boolean()
  .describe('Whether the member gets mail about failing webhook endpoints; owners and admins only.');

export const memberSchema = z
  .strictObject({
    id: idSchema('mem').describe('Derived from the address: the same in every workspace.'),
    email: text(
      'anna@acme.dev',
      'Address to which sign-in links and notices are mailed; compared without case.',
    ),
    role: roleSchema,
    outage_mail: outageMailSchema,
    created_at: timestampSchema.nullable().meta({
      examples: [exampleTimestamp],
      description: 'Time of creation; null: before it was recorded.',
    }),
  })
  .meta({ id: 'Member', description: 'A person who may sign in to the console of the workspace.' });

export function presentMember({ email, role, outageMail, createdAt }: Member): z.input<typeof memberSchema> {
  return {
    id: memberId(email),
    email,
    role,
    outage_mail: outageMail,
    created_at: timestampOrNull(createdAt),
  };
}
