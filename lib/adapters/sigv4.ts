/**
 * Signatures of AWS requests in their headers ("Create a signed AWS API request", IAM User Guide); see
 * docs/decisions/0057-requests-without-sdk-clients.md.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { AwsCredentialIdentity } from '@smithy/types';

export interface UnsignedRequest {
  readonly method: string;
  /** As it is sent; outside S3 of unreserved characters and slashes only, since other services escape it twice. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** In lower case, `host` among them. All are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Signs requests of one service in one region. */
export interface RequestSigner {
  /** The headers with those of the signature. @param atMs Unix milliseconds */
  sign(request: UnsignedRequest, credentials: AwsCredentialIdentity, atMs: number): Record<string, string>;
}

const algorithm = 'AWS4-HMAC-SHA256';

export function createSigner(service: string, region: string): RequestSigner {
  /** The key changes with the day and with the credentials. */
  let known: { readonly secret: string; readonly date: string; readonly key: KeyObject } | undefined;

  function keyOf(secret: string, date: string): KeyObject {
    if (known?.secret === secret && known.date === date) return known.key;
    const parts = [date, region, service, 'aws4_request'];
    const derived = parts.reduce<string | Buffer>(
      (key, part) => createHmac('sha256', key).update(part).digest(),
      `AWS4${secret}`,
    );
    known = { secret, date, key: createSecretKey(Buffer.from(derived)) };
    return known.key;
  }

  return {
    sign({ method, path, query = {}, headers, body = '' }, credentials, atMs) {
      const at = new Date(atMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
      const date = at.slice(0, 8);
      const payloadHash = hash('sha256', body);
      const signed: Record<string, string> = {
        ...headers,
        'x-amz-date': at,
        'x-amz-content-sha256': payloadHash,
        ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
      };
      const names = Object.keys(signed).sort();
      const canonicalHeaders = names.map((name) => `${name}:${normalized(signed[name] ?? '')}\n`).join('');
      const signedNames = names.join(';');
      const canonical = [
        method,
        path,
        canonicalQuery(query),
        canonicalHeaders,
        signedNames,
        payloadHash,
      ].join('\n');
      const scope = `${date}/${region}/${service}/aws4_request`;
      const signature = createHmac('sha256', keyOf(credentials.secretAccessKey, date))
        .update([algorithm, at, scope, hash('sha256', canonical)].join('\n'))
        .digest('hex');
      const credential = `${credentials.accessKeyId}/${scope}`;
      signed.authorization = `${algorithm} Credential=${credential}, SignedHeaders=${signedNames}, Signature=${signature}`;
      return signed;
    },
  };
}

const normalized = (value: string): string => value.trim().replace(/\s+/g, ' ');

function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
}

/** All but the unreserved characters of RFC 3986. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
