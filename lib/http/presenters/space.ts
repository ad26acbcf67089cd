/** The API record and input of a Space (docs/concepts/spaces.md). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import type { Space } from '../../core/workspaces/space.ts';
import { createdAt, idSchema, nullableText, text, timestampOf, updatedAt } from '../schemas.ts';

const texts = {
  name: 'Shown in lists; need not be unique.',
  externalId: 'Your own id of the customer, unique in the workspace; null: none.',
};

export const spaceSchema = z
  .strictObject({
    id: idSchema('spc'),
    name: text('Acme', texts.name),
    external_id: nullableText('customer-4711', texts.externalId),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: 'Space', description: 'A part of the workspace, usually for one of your customers.' });

export const spaceFields = {
  name: z
    .string()
    .min(1)
    .max(limits.nameCharacters)
    .meta({ examples: ['Acme'], description: texts.name }),
  external_id: z
    .string()
    .min(1)
    .max(limits.externalIdCharacters)
    .nullable()
    .meta({ examples: ['customer-4711'], description: texts.externalId }),
};

export function presentSpace(space: Space): z.input<typeof spaceSchema> {
  return {
    id: space.id,
    name: space.name,
    external_id: space.externalId,
    created_at: timestampOf(space.createdAt),
    updated_at: timestampOf(space.updatedAt),
  };
}
