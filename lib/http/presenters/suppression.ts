/** Suppressions on the wire (contract, section 5). */
import * as z from 'zod';
import { type Suppression, suppressionReasons, suppressionScopes } from '../../core/suppression.ts';
import { idSchema, timestampSchema } from '../schemas.ts';

export const suppressionSchema = z
  .strictObject({
    id: idSchema('sup'),
    address: z.string(),
    key: z.string().describe('The list that the address is on; `*` for every send.'),
    space_id: idSchema('spc').nullable().describe('null: in every space.'),
    scope: z.enum(suppressionScopes).describe('`optional` blocks only mail sent with `unsubscribe: true`.'),
    reason: z.enum(suppressionReasons),
    note: z.string().nullable(),
    blocks: z.int().describe('How many sends it has kept from the address.'),
    last_blocked_at: timestampSchema.nullable(),
    source_email_id: idSchema('eml')
      .nullable()
      .describe('The email that bounced, or that was complained about.'),
    created_at: timestampSchema,
  })
  .meta({ id: 'Suppression' });

export function presentSuppression(suppression: Suppression): z.input<typeof suppressionSchema> {
  const { lastBlockedAt } = suppression;
  return {
    id: suppression.id,
    address: suppression.address,
    key: suppression.key,
    space_id: suppression.spaceId,
    scope: suppression.scope,
    reason: suppression.reason,
    note: suppression.note,
    blocks: suppression.blocks,
    last_blocked_at: lastBlockedAt === null ? null : new Date(lastBlockedAt).toISOString(),
    source_email_id: suppression.sourceEmailId,
    created_at: new Date(suppression.createdAt).toISOString(),
  };
}
