/** What proves to a receiver that a webhook is ours: the signature and the headers that carry it (contract, section 7). */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far a signature's time may lie from the receiver's clock before it counts as a replay. */
const toleranceSecondsDefault = 300;

/**
 * The value of the signature header: `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret.
 *
 * @param options.secrets the whole strings, `whsec_` included; two while a rotation's grace lasts
 * @param options.atSeconds Unix seconds of this attempt, so that a retry is signed anew
 */
export function signBody(options: { body: string; secrets: readonly string[]; atSeconds: number }): string {
  const { body, secrets, atSeconds } = options;
  return [`t=${atSeconds}`, ...secrets.map((secret) => `v1=${mac(secret, atSeconds, body)}`)].join(',');
}

/**
 * What a receiver does: true when one `v1` of the header was made with `secret` over `body`, at a time near `nowSeconds`.
 * Compared in constant time; schemes other than `v1` are ignored, so that a later one may be added beside it.
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

/** The headers of an attempt (interface, "Events"), under the deployment's brand. */
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
