/** DKIM of a domain identity: bring-your-own key, or verified without DNS. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { AwsError } from '../aws/service.ts';
import { lookUp, type Resolver } from './resolver.ts';

export type Dkim =
  | { readonly origin: 'EXTERNAL'; readonly selector: string; readonly publicKeys: readonly string[] }
  /** Verified without DNS. */
  | { readonly origin: 'LOCAL' };

/** Result of a DNS check; `unknown`: no answer, the previous result stays valid. */
export type DkimFinding = 'found' | 'missing' | 'wrong' | 'unknown';

/**
 * Bring-your-own DKIM. `privateKey` is base64 of a PKCS #8 or PKCS #1 key without PEM lines, RSA of 1024 to 2048 bits.
 *
 * @throws AwsError `BadRequestException` for an invalid key or selector
 */
export function ownKey(selector: string, privateKey: string): Dkim {
  if (!/^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/.test(selector)) {
    throw new AwsError('BadRequestException', `Invalid DKIM selector <${selector}>.`);
  }
  const key = readPrivateKey(privateKey);
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key?.asymmetricKeyType !== 'rsa' || bits < 1024 || bits > 2048) {
    throw new AwsError('BadRequestException', 'Invalid DKIM private key: RSA of 1024 to 2048 bits, base64.');
  }
  const publicKey = createPublicKey(key);
  const encoded = (type: 'spki' | 'pkcs1') => publicKey.export({ format: 'der', type }).toString('base64');
  // RFC 6376 section 3.6.1 specifies RSAPublicKey; SubjectPublicKeyInfo is common. SES accepts both.
  return { origin: 'EXTERNAL', selector, publicKeys: [encoded('spki'), encoded('pkcs1')] };
}

/** Checks the DKIM records of a domain in DNS. */
export async function findDkim(domain: string, dkim: Dkim, resolver: Resolver): Promise<DkimFinding> {
  if (dkim.origin === 'LOCAL') return 'found';
  const records = await lookUp(resolver.txt(`${dkim.selector}._domainkey.${domain}`));
  if (records === null) return 'unknown';
  const published = records.map((strings) => publishedKey(strings.join('')));
  if (published.some((key) => dkim.publicKeys.includes(key))) return 'found';
  return published.length === 0 ? 'missing' : 'wrong';
}

/** The `p=` tag of a DKIM record without white space; empty: revoked (RFC 6376 section 3.6.1). */
function publishedKey(record: string): string {
  const tag = record.split(';').find((part) => /^\s*p\s*=/.test(part));
  return (tag ?? '').replace(/^\s*p\s*=/, '').replace(/\s+/g, '');
}

function readPrivateKey(base64: string): KeyObject | null {
  const key = Buffer.from(base64, 'base64');
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type });
    } catch {
      // Another format.
    }
  }
  return null;
}
