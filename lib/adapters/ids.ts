/** New ids and tokens. */
import { composeId, type Id, type IdPrefix } from '../domain/ids.ts';
import { chanceBytes } from './chance.ts';
import { now } from './clock.ts';

/** A fresh, time-ordered id. */
export function newId<P extends IdPrefix>(prefix: P): Id<P> {
  return composeId(prefix, now(), chanceBytes(10));
}

/** `bytes` random bytes in base64url. */
export function newToken(bytes: number): string {
  return chanceBytes(bytes).toString('base64url');
}
