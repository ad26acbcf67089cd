/** Names that never lead to anything on the public internet. */
import { isUnder } from './reserved.ts';

/**
 * RFC 6761 (localhost, invalid), RFC 6762 (local), RFC 7686 (onion), RFC 8375 (home.arpa), RFC 9476 (alt), ICANN's
 * reservation of `internal`, and the reverse trees. `test` and `example` are left out: they harm nobody, and examples
 * and the local run use them.
 */
const specialUse = ['localhost', 'invalid', 'local', 'onion', 'alt', 'internal', 'arpa'];

/** Whether `name` (lower case, without a final dot) is or lies under a name reserved for something else than DNS. */
export function isSpecialUse(name: string): boolean {
  return specialUse.some((suffix) => isUnder(suffix, name));
}
