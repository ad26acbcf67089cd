/** The API record of a suppression (docs/concepts/suppressions.md). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import { type Suppression, suppressionReasons } from '../../core/suppressions/suppression.ts';
import {
  appliesInSpace,
  count,
  createdAt,
  idSchema,
  nullableText,
  text,
  timestampOf,
  timestampOrNull,
  timestampSchema,
} from '../schemas.ts';
import { keyText, suppressionScope } from './fields.ts';

const reasonText =
  '`bounce`: the address takes no mail; `complaint`: the recipient reported spam; `unsubscribe`: the recipient opted out; ' +
  '`manual`: created by request.';
const noteText = 'Your own remark; null: none.';

export const noteInput = z
  .string()
  .max(limits.suppressionNoteCharacters)
  .nullable()
  .default(null)
  .meta({ examples: ['Asked by phone.'], description: noteText });

export const reasonFilter = z
  .enum(suppressionReasons)
  .optional()
  .describe(`Only suppressions with this reason. ${reasonText}`);

export const suppressionSchema = z
  .strictObject({
    id: idSchema('sup'),
    address: text(
      'anna@example.com',
      'The address as it was first given, compared without case; `erased` after the erasure of the person.',
    ),
    key: text('*', keyText),
    space_id: appliesInSpace,
    scope: suppressionScope,
    reason: z.enum(suppressionReasons).meta({ examples: ['manual'], description: reasonText }),
    note: nullableText('Asked by phone.', noteText),
    blocks: count(0, 'Number of sends that it removed the address from.'),
    last_blocked_at: timestampSchema
      .nullable()
      .meta({ examples: [null], description: 'When it last removed the address from a send; null: never.' }),
    source_email_id: idSchema('eml')
      .nullable()
      .meta({
        examples: [null],
        description:
          'The email that bounced, was reported as spam, or was opted out of; null: created by request.',
      }),
    created_at: createdAt,
  })
  .meta({ id: 'Suppression', description: 'An address that sends leave out.' });

/** The response of creating suppressions. */
export const suppressionListSchema = z
  .strictObject({
    data: z
      .array(suppressionSchema)
      .describe('One for each address, in the order of the request; existing ones included.'),
  })
  .meta({ id: 'SuppressionList', description: 'The suppressions of the given addresses.' });

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
