/** The client of the API, as the person who is signed in. */
import { Parley } from 'parley-client';

export const parley = new Parley({
  session: true,
  baseUrl: location.origin,
  timeoutMs: 30_000,
  maxRetries: 2,
});

export const brand = import.meta.env.BRAND;
