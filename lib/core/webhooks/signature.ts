/** Signatures of webhooks, and the headers of a delivery (docs/concepts/webhooks.md#signature). */
import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';

/** The body of a webhook: JSON, or its bytes in UTF-8. */
export type WebhookBody = string | Uint8Array;

/** Largest difference between a signature's time and the receiver's clock; beyond it the request counts as a replay. */
const toleranceSecondsDefault = 300;

/**
 * The value of the signature header: `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret.
 *
 * @param options.secrets with the prefix `whsec_`; two during the grace period of a rotation
 * @param options.atSeconds Unix seconds of this attempt: each attempt has a signature of its own
 */
export function signBody(options: {
  body: WebhookBody;
  secrets: readonly string[];
  atSeconds: number;
}): string {
  const { body, secrets, atSeconds } = options;
  return [`t=${atSeconds}`, ...secrets.map((secret) => `v1=${mac(secret, atSeconds, body)}`)].join(',');
}

/**
 * The receiver's check: whether one `v1` of the header is the signature of `body` with `secret`, at a time near
 * `nowSeconds`. Compares in constant time, and ignores schemes other than `v1`, so that others can be added.
 */
export function verifySignature(options: {
  header: string;
  body: string;
  secret: string;
  nowSeconds: number;
  toleranceSeconds?: number;
}): boolean {
  const { header, body, secret, nowSeconds, toleranceSeconds = toleranceSecondsDefault } = options;
  const fields = header.split(',').map((field) => field.trim());
  const time = fields.find((field) => field.startsWith('t='))?.slice(2) ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  const atSeconds = Number(time);
  if (Math.abs(nowSeconds - atSeconds) > toleranceSeconds) return false;
  const expected = Buffer.from(mac(secret, atSeconds, body));
  return fields
    .filter((field) => field.startsWith('v1='))
    .map((field) => Buffer.from(field.slice(3)))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

/** The secrets that sign an attempt; two during the grace period of a rotation. */
export interface SignedRequest {
  readonly eventId: string;
  readonly body: WebhookBody;
  readonly secrets: readonly string[];
  /** Unix seconds of this attempt. */
  readonly atSeconds: number;
}

/** The headers of an attempt (docs/concepts/webhooks.md#envelope). Our own ones are named after the deployment's brand. */
export function webhookHeaders(brand: string, request: SignedRequest): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    [`${brand}-Signature`]: signBody(request),
    [`${brand}-Event-ID`]: request.eventId,
    'User-Agent': userAgentOf(brand),
    ...standardHeaders(request),
  };
}

export const userAgentOf = (brand: string): string => `${brand.toLowerCase()}-webhooks/1`;

/**
 * The headers of Standard Webhooks 1.0, "Signature scheme", so that its libraries verify. Their key is the decoded part after
 * `whsec_`: a secret without one signs nothing here, and without any such secret the headers are left out.
 */
function standardHeaders({ eventId, body, secrets, atSeconds }: SignedRequest): Record<string, string> {
  const signatures = secrets.flatMap((secret) => {
    const key = signingKeyOf(secret);
    return key ? [`v1,${hmacOf(key, `${eventId}.${atSeconds}.`, body).digest('base64')}`] : [];
  });
  if (signatures.length === 0) return {};
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': signatures.join(' '),
  };
}

const secretPrefix = 'whsec_';
/** 32 bytes in padded base64. */
const encodedKey = /^[A-Za-z0-9+/]{43}=$/;

/** A new signing secret. @param key 32 random bytes */
export function endpointSecretOf(key: Buffer): string {
  return secretPrefix + key.toString('base64');
}

/** The 32 bytes that a secret encodes; null for any other text. */
function signingKeyOf(secret: string): Buffer | null {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : '';
  return encodedKey.test(encoded) ? Buffer.from(encoded, 'base64') : null;
}

function mac(secret: string, atSeconds: number, body: WebhookBody): string {
  return hmacOf(secret, `${atSeconds}.`, body).digest('hex');
}

/** The HMAC of both, one after the other: a body may have megabytes. */
export function hmacOf(key: string | Buffer, prefix: string, body: WebhookBody): Hmac {
  return createHmac('sha256', key).update(prefix).update(body);
}
