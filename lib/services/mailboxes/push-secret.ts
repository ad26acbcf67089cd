/** The secret that pushes of Microsoft name; it is stored as its hash. */
import { createHash } from 'node:crypto';

/** SHA-256 in hex: the secret is random, so that no slow hash is needed. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
