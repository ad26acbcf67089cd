/** The one source of randomness: new ids, tokens and secrets. */
import { randomBytes } from 'node:crypto';
import { composeId, type Id, type IdPrefix } from '../domain/ids.ts';
import { now } from './clock.ts';

/** A fresh, time-ordered id. */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  return composeId(prefix, now(), randomBytes(10));
}

/** `bytes` random bytes in base64url. */
export function newToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
