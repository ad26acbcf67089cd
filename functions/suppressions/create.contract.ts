/** Contract of `POST /suppressions`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { allKeys } from '../../lib/core/suppressions/suppression.ts';
import { operation } from '../../lib/http/contract.ts';
import { keyText, suppressionScope } from '../../lib/http/presenters/fields.ts';
import { bareAddressInput } from '../../lib/http/presenters/outgoing.ts';
import { noteInput, suppressionListSchema } from '../../lib/http/presenters/suppression.ts';
import { appliesInSpace } from '../../lib/http/schemas.ts';

export const createSuppressionsOperation = operation({
  id: 'suppressions.create',
  operationId: 'createSuppressions',
  method: 'POST',
  path: '/api/v2/suppressions',
  summary: 'Create suppressions',
  description:
    'Puts addresses on a suppression list, so that sends leave them out. Each list of a Space contains an address at ' +
    'most once. Adding it again returns the existing suppression: a given note replaces the old one, the scope can ' +
    'widen but not narrow, the reason stays. The response has one suppression for each address, in the order of the ' +
    'request. Addresses are compared without case and in ASCII form (RFC 5891). A suppression applies from the next ' +
    'submission on, also to mail that is scheduled or queued.',
  scope: 'full',
  budget: 'query',
  access: ['table:update'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      addresses: z
        .array(bareAddressInput)
        .min(1)
        .max(limits.suppressionAddresses)
        .describe('Addresses without display names; one that is given twice counts once.'),
      key: z
        .string()
        .min(1)
        .max(limits.suppressionKeyCharacters)
        .default(allKeys)
        .meta({ examples: ['newsletter'], description: keyText }),
      scope: suppressionScope.default('all'),
      space_id: appliesInSpace.default(null),
      note: noteInput,
    })
    .meta({
      description: 'Addresses to put on a suppression list.',
      examples: [{ addresses: ['anna@example.com'], note: 'Asked by phone.' }],
    }),
  responses: {
    201: { description: 'The suppressions.', body: suppressionListSchema },
  },
  problems: ['limit_reached'],
  // Writing and reading a thousand items needs CPU, which Lambda allocates in proportion to memory ("Configure Lambda function memory").
  memoryMb: 1769,
  timeoutSeconds: 29,
});
