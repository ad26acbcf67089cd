/** Proves that a webhook comes from Parley (docs/verifying-webhooks.md). */
import { readText } from './answers.ts';
import { WebhookVerificationError } from './errors.ts';
import { webCrypto } from './runtime.ts';
import type { Event } from './types.ts';

/**
 * An event of a type that came after this version of the library. It arrives like the others: in the `default` of a `switch`,
 * `event as UnknownEvent` reads it. It is no part of `WebhookEvent`, which TypeScript could not narrow by `type` otherwise.
 */
export interface UnknownEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly space_id: string | null;
  readonly data: object;
}

/** An event; `switch (event.type)` narrows `event.data`. Keep a `default` for types that come later. */
export type WebhookEvent = Event;

/** The body as it came: not parsed. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** `Headers`, the headers of Node, or a record of any case. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>;

export interface VerifyOptions {
  /** How far the time of the signature may be from the clock. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The brand of the deployment, which names its header. Default: `Parley`. */
  readonly brand?: string | undefined;
  /** Unix milliseconds. Default: the clock. */
  readonly now?: number | undefined;
}

/** A secret, or several while one replaces another. */
export type Secrets = string | readonly string[];

const toleranceSecondsDefault = 300;
const bodyBytesMax = 8 * 1024 * 1024;
const headerCharactersMax = 8192;

/**
 * Verifies a webhook and returns its event.
 *
 * `data` has the form of the type, but for test events (`POST /webhook-endpoints/{endpoint_id}/test`), whose payload is the caller's.
 * Endpoints of format `v1` send events of version 1, which this type does not describe.
 *
 * @param secret `whsec_…`, as the endpoint or its rotation showed it
 * @throws WebhookVerificationError, whose `reason` and message say what to do
 */
export function verifyWebhook(
  request: Request,
  secret: Secrets,
  options?: VerifyOptions,
): Promise<WebhookEvent>;
export function verifyWebhook(
  body: WebhookBody | Request,
  headers: WebhookHeaders,
  secret: Secrets,
  options?: VerifyOptions,
): Promise<WebhookEvent>;
export async function verifyWebhook(
  body: WebhookBody | Request,
  second: WebhookHeaders | Secrets,
  third?: Secrets | VerifyOptions,
  fourth?: VerifyOptions,
): Promise<WebhookEvent> {
  if (isRequest(body) && (second === undefined || isSecrets(second))) {
    return await verify(await bytesOfRequest(body), body.headers, second, third as VerifyOptions | undefined);
  }
  const bytes = isRequest(body) ? await bytesOfRequest(body) : bytesOf(body);
  return await verify(bytes, second as WebhookHeaders, third as Secrets, fourth);
}

const isRequest = (value: unknown): value is Request =>
  typeof value === 'object' && value !== null && 'headers' in value && 'arrayBuffer' in value;

const isSecrets = (value: unknown): value is Secrets =>
  typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

async function bytesOfRequest(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (request.bodyUsed) {
    throw refusal(
      'invalid_body',
      'The body of the request was read before: read it once, as text, and pass the text and request.headers.',
    );
  }
  // A Request has what is read of a Response.
  const text = await readText(request as unknown as Response, 'webhook', bodyBytesMax).catch(
    (cause: unknown) => {
      throw new WebhookVerificationError(
        'invalid_body',
        'The body is larger than any of Parley, or was cut.',
        cause,
      );
    },
  );
  return new TextEncoder().encode(text);
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
  }
  throw refusal(
    'invalid_body',
    typeof body === 'object' && body !== null
      ? 'The body is an object: pass the raw body as it came, ahead of a JSON parser (with Express: express.raw()).'
      : `The body is ${String(body)}: pass the raw body as a string or bytes.`,
  );
}

/** Signatures of a request, and what they sign: a prefix before the body. */
interface Signed {
  readonly scheme: 'own' | 'standard';
  readonly seconds: number;
  readonly prefix: string;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
}

async function verify(
  body: Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: Secrets,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof headers !== 'object' || headers === null) {
    throw refusal('no_signature', 'There are no headers: pass those of the request after the body.');
  }
  const secrets = checkSecrets(secret);
  const signed = readSignatures(headers, options.brand ?? 'Parley');
  const genuine = await firstGenuine(signed, body, secrets);
  if (!genuine) {
    throw refusal(
      'wrong_signature',
      'No signature matches: is this the secret of this endpoint, and the body exactly as it came? Parsing and printing JSON changes it.',
    );
  }
  checkTime(genuine.seconds, options);
  return parseEvent(body);
}

function checkSecrets(secret: Secrets): readonly string[] {
  const secrets = [secret].flat() as readonly unknown[];
  for (const one of secrets) {
    if (typeof one !== 'string' || one === '') {
      throw refusal('invalid_secret', 'The secret is empty: is the environment variable set?');
    }
    if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(one.slice(0, 1000)) || one.length > 1000) {
      throw refusal(
        'invalid_secret',
        'The secret must be whole: `whsec_` and base64, as the creation of the endpoint or its rotation showed it, without spaces.',
      );
    }
  }
  if (secrets.length === 0) throw refusal('invalid_secret', 'No secret is given.');
  return secrets as readonly string[];
}

function readSignatures(headers: WebhookHeaders, brand: string): Signed[] {
  const headerOf = headerReader(headers);
  const [own, standard] = [headerOf(`${brand}-Signature`), headerOf('webhook-signature')];
  if (own === null && standard === null) {
    throw refusal(
      'no_signature',
      `The request has neither ${brand}-Signature nor webhook-signature: it is not of Parley, a proxy removed the headers, or \`brand\` is another.`,
    );
  }
  const [id, time] = [headerOf('webhook-id'), headerOf('webhook-timestamp')];
  const signed = [
    own === null ? null : readOwn(own),
    standard === null || id === null || time === null ? null : readStandard(standard, id, time),
  ].filter((one) => one !== null);
  if (signed.length > 0) return signed;
  throw refusal(
    'malformed_signature',
    'The signature headers are incomplete, or not of the form `t=…,v1=…` or `v1,…`.',
  );
}

/** A header by its name in any case; null for none, or one that is longer than Parley sends. */
function headerReader(headers: WebhookHeaders): (name: string) => string | null {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return (name) => {
    const [, value] = entries.find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [];
    const text = Array.isArray(value) ? value[0] : value;
    return typeof text === 'string' && text.length <= headerCharactersMax ? text : null;
  };
}

const digits = /^\d{1,12}$/;

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. */
function readOwn(header: string): Signed | null {
  const fields = header.split(',').map((field) => field.trim().split('='));
  const time = fields.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = fields.flatMap(([name, value = '']) => (name === 'v1' ? (fromHex(value) ?? []) : []));
  if (!digits.test(time) || signatures.length === 0) return null;
  return { scheme: 'own', seconds: Number(time), prefix: `${time}.`, signatures };
}

/** `v1,<base64>[ v1,<base64>]` (Standard Webhooks). */
function readStandard(header: string, id: string, time: string): Signed | null {
  const signatures = header
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (fromBase64(one.slice(3)) ?? []) : []));
  if (!digits.test(time) || signatures.length === 0) return null;
  return { scheme: 'standard', seconds: Number(time), prefix: `${id}.${time}.`, signatures };
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[0-9a-f]{64}$/i.test(text)) return null;
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Each signature with each secret. `subtle.verify` compares in constant time. */
async function firstGenuine(
  signed: readonly Signed[],
  body: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<Signed | null> {
  const { subtle } = await webCrypto();
  for (const one of signed) {
    const text = joined(new TextEncoder().encode(one.prefix), body);
    for (const secret of secrets) {
      const bytes = one.scheme === 'own' ? new TextEncoder().encode(secret) : fromBase64(secret.slice(6));
      if (!bytes || bytes.length === 0) continue;
      const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
      for (const signature of one.signatures.slice(0, signaturesMax)) {
        if (await subtle.verify('HMAC', key, signature, text)) return one;
      }
    }
  }
  return null;
}

/** Parley signs with two secrets at most. */
const signaturesMax = 10;

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

function checkTime(
  seconds: number,
  { now = Date.now(), toleranceSeconds = toleranceSecondsDefault }: VerifyOptions,
): void {
  const ageSeconds = now / 1000 - seconds;
  // A tolerance that is no number accepts nothing.
  if (!(ageSeconds <= toleranceSeconds)) {
    throw refusal(
      'too_old',
      `The signature is ${Math.round(ageSeconds)} seconds old: the request is a repetition, or the clock of this machine is wrong.`,
    );
  }
  if (ageSeconds < -toleranceSeconds) {
    throw refusal(
      'in_the_future',
      `The signature is ${Math.round(-ageSeconds)} seconds ahead of the clock of this machine.`,
    );
  }
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch (cause) {
    throw new WebhookVerificationError('invalid_body', 'The body is not JSON.', cause);
  }
}

const refusal = (reason: WebhookVerificationError['reason'], detail: string): WebhookVerificationError =>
  new WebhookVerificationError(reason, detail);
