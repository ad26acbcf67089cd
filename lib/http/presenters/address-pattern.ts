/** The pattern of addresses in routing and pacing rules (docs/concepts/webhooks.md#routing). */
import { isAddressPattern, patternCharactersMax } from '../../mail/addresses/address-pattern.ts';
import { text } from '../schemas.ts';

export const addressPattern = text(
  '*@acme.dev',
  'An address in which `*` stands for any characters, also none; compared without case.',
)
  .refine(isAddressPattern, 'must be an address; * matches any characters')
  .meta({ maxLength: patternCharactersMax, pattern: '^[^\\s]*[@*][^\\s]*$' });
