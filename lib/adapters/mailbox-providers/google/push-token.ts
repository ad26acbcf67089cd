/** The token of a push of Pub/Sub ("Authentication for push subscriptions", Pub/Sub). */
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, jwtVerify } from 'jose';
import { now } from '../../clock.ts';
import { endpoints } from '../endpoints.ts';
import { boundedFetch } from '../http.ts';

const fetchKeys: FetchImplementation = async (url, { headers, method }) =>
  await boundedFetch('Google', url, { headers, method });

/** Google's keys by their URL; jose fetches them again when they are ten minutes old, or a key is not among them. */
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

function keysAt(url: string) {
  const known = keySets.get(url) ?? createRemoteJWKSet(new URL(url), { [customFetch]: fetchKeys });
  keySets.set(url, known);
  return known;
}

/**
 * Whether a token is Google's, for this audience and not expired. It does not prove whose subscription pushed: any customer
 * of Google may name the audience.
 *
 * @throws ProviderError where Google's keys cannot be read
 */
export async function isPushToken(token: string, audience: string): Promise<boolean> {
  const { accounts, certs } = endpoints().google;
  try {
    const { payload } = await jwtVerify(token, keysAt(`${certs}/oauth2/v3/certs`), {
      issuer: [accounts, accounts.replace(/^https:\/\//, '')],
      audience,
      algorithms: ['RS256'],
      requiredClaims: ['email', 'exp'],
      currentDate: new Date(now()),
      clockTolerance: 60,
    });
    return payload.email_verified === true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}
