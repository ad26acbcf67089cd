/** Special-use domain names, which do not exist in public DNS. */
import { isUnder } from './reserved.ts';

/**
 * RFC 6761 (localhost, invalid), RFC 6762 (local), RFC 7686 (onion), RFC 8375 (home.arpa), RFC 9476 (alt), ICANN's
 * reservation of `internal`, and the reverse trees. `test` and `example` are left out: examples and the local run use
 * them.
 */
const specialUse = ['localhost', 'invalid', 'local', 'onion', 'alt', 'internal', 'arpa'];

/** Whether `name` (lower case, without a final dot) is a special-use name or under one. */
export function isSpecialUse(name: string): boolean {
  return specialUse.some((suffix) => isUnder(suffix, name));
}
