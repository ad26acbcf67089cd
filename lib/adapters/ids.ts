/** Generates ids and tokens. */
import { createHash } from 'node:crypto';
import { composeId, type Id, type IdPrefix } from '../core/ids.ts';
import { now } from './clock.ts';
import { secureBytes } from './random.ts';

/** A new id that sorts by creation time. */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  return composeId(prefix, now(), secureBytes(10));
}

/** A new id that sorts as if it were made at `atMs`. */
export function newIdAt<P extends IdPrefix>(prefix: P, atMs: number): Id<P> {
  return composeId(prefix, atMs, secureBytes(10));
}

/** `bytes` random bytes in base64url. */
export function newToken(bytes: number): string {
  return secureBytes(bytes).toString('base64url');
}

/** What is stored of a key or token: SHA-256 in hex. It is random, so that no slow hash is needed. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
