/** The API record of a suppression (docs/concepts/suppressions.md). */
import * as z from 'zod';
import { type Suppression, suppressionReasons, suppressionScopes } from '../../core/suppression.ts';
import { idSchema, timestampSchema } from '../schemas.ts';

export const suppressionSchema = z
  .strictObject({
    id: idSchema('sup'),
    address: z.string(),
    key: z.string().describe('The suppression list; `*` applies to every send.'),
    space_id: idSchema('spc').nullable().describe('null: applies in every Space.'),
    scope: z.enum(suppressionScopes).describe('`optional` blocks only mail sent with `unsubscribe: true`.'),
    reason: z.enum(suppressionReasons),
    note: z.string().nullable(),
    blocks: z.int().describe('Number of sends that it removed the address from.'),
    last_blocked_at: timestampSchema.nullable(),
    source_email_id: idSchema('eml').nullable().describe('The email that bounced or received the complaint.'),
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
