/** Contract of `POST /suppressions`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { allKeys, suppressionScopes } from '../../lib/core/suppression.ts';
import { operation } from '../../lib/http/contract.ts';
import { bareAddressInput } from '../../lib/http/presenters/outgoing.ts';
import { suppressionSchema } from '../../lib/http/presenters/suppression.ts';
import { idSchema } from '../../lib/http/schemas.ts';

export const createSuppressionsOperation = operation({
  id: 'suppressions.create',
  method: 'POST',
  path: '/api/v2/suppressions',
  summary: 'Suppress addresses',
  description:
    'An address is on a list once in each space: adding it again answers the entry that is there, with a note that is ' +
    'given and a scope that is wider, never narrower; its reason stays. The answer has an entry for each address, in ' +
    'the order of the request. Addresses are told apart without regard to case and after conversion of international ' +
    'domains. Suppressions count from the next send on, and for mail that is scheduled or held already.',
  scope: 'full',
  budget: 'query',
  access: ['table:update'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    addresses: z.array(bareAddressInput).min(1).max(limits.suppressionAddresses),
    key: z
      .string()
      .min(1)
      .max(limits.suppressionKeyCharacters)
      .default(allKeys)
      .describe('The list. Sends are checked against `*` and against their `suppression_key`.'),
    scope: z
      .enum(suppressionScopes)
      .default('all')
      .describe('`optional` blocks only mail sent with `unsubscribe: true`.'),
    space_id: idSchema('spc').nullable().default(null).describe('null: in every space.'),
    note: z.string().max(limits.suppressionNoteCharacters).nullable().default(null),
  }),
  answers: {
    201: { description: 'The entries.', body: z.strictObject({ data: z.array(suppressionSchema) }) },
  },
  problems: [],
  // A thousand writes side by side are work for the processor, which comes with the memory.
  memoryMb: 1769,
  timeoutSeconds: 29,
});
