/** Signatures of webhooks, and the headers of a delivery (docs/concepts/webhooks.md#signature). */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Largest difference between a signature's time and the receiver's clock; beyond it the request counts as a replay. */
const toleranceSecondsDefault = 300;

/**
 * The value of the signature header: `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret.
 *
 * @param options.secrets with the prefix `whsec_`; two during the grace period of a rotation
 * @param options.atSeconds Unix seconds of this attempt: each attempt has a signature of its own
 */
export function signBody(options: { body: string; secrets: readonly string[]; atSeconds: number }): string {
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

/** The headers of an attempt, named after the deployment's brand (docs/concepts/webhooks.md#signature). */
export function webhookHeaders(options: {
  brand: string;
  eventId: string;
  signature: string;
}): Record<string, string> {
  const { brand, eventId, signature } = options;
  return {
    'Content-Type': 'application/json',
    [`${brand}-Signature`]: signature,
    [`${brand}-Event-ID`]: eventId,
    'User-Agent': `${brand.toLowerCase()}-webhooks/1`,
  };
}

function mac(secret: string, atSeconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex');
}
