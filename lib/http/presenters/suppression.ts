/** The API record of a suppression (docs/concepts/suppressions.md). */
import * as z from 'zod';
import { suppressionScopes } from '../../core/emails/email.ts';
import { type Suppression, suppressionReasons } from '../../core/suppressions/suppression.ts';
import { idSchema, nullableText, text, timestampOf, timestampOrNull, timestampSchema } from '../schemas.ts';

export const suppressionSchema = z
  .strictObject({
    id: idSchema('sup'),
    address: text('anna@example.com'),
    key: text('*', 'The suppression list; `*` applies to every send.'),
    space_id: idSchema('spc')
      .nullable()
      .meta({ examples: [null], description: 'null: applies in every Space.' }),
    scope: z.enum(suppressionScopes).describe('`optional` blocks only mail sent with `unsubscribe: true`.'),
    reason: z.enum(suppressionReasons).meta({ examples: ['manual'] }),
    note: nullableText('Asked by phone.'),
    blocks: z.int().meta({ examples: [0], description: 'Number of sends that it removed the address from.' }),
    last_blocked_at: timestampSchema.nullable().meta({ examples: [null] }),
    source_email_id: idSchema('eml')
      .nullable()
      .meta({ examples: [null], description: 'The email that bounced or received the complaint.' }),
    created_at: timestampSchema,
  })
  .meta({ id: 'Suppression' });

/** The response of creating suppressions. */
export const suppressionListSchema = z
  .strictObject({ data: z.array(suppressionSchema) })
  .meta({ id: 'SuppressionList' });

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
    last_blocked_at: timestampOrNull(lastBlockedAt),
    source_email_id: suppression.sourceEmailId,
    created_at: timestampOf(suppression.createdAt),
  };
}
