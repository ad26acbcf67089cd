/** The API record and input of a Space (docs/concepts/spaces.md). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import type { Space } from '../../core/workspaces/space.ts';
import { idSchema, nullableText, text, timestampOf, timestampSchema } from '../schemas.ts';

export const spaceSchema = z
  .strictObject({
    id: idSchema('spc'),
    name: text('Acme'),
    external_id: nullableText('customer-4711', "The client's customer identifier."),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'Space' });

export const spaceFields = {
  name: z.string().min(1).max(limits.nameCharacters),
  external_id: z
    .string()
    .min(1)
    .max(limits.externalIdCharacters)
    .nullable()
    .describe("The client's customer identifier, unique in the workspace; null for none."),
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
