/** The built-in receiver of webhooks: keeps the last ones, each with the check of its signature. */
import { verifySignature } from '../../core/webhooks/signature.ts';

export interface ReceivedWebhook {
  /** Increases with each one. */
  readonly position: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly endpointId: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning, where it is long. */
  readonly body: string;
  readonly bytes: number;
  readonly signature: 'valid' | 'invalid' | 'missing' | 'unknown-secret';
  /** The status of the answer. */
  readonly answered: number;
}

export interface ReceiverSettings {
  /** Status of the answers; 200 by default. */
  status: number;
}

export interface Receiver {
  /** Takes a webhook and returns the status of the answer. @param token the path of the endpoint */
  take(token: string, headers: Readonly<Record<string, string>>, body: Buffer): number;
  /** Newest first. */
  list(): readonly ReceivedWebhook[];
  clear(): void;
  /** Sets the endpoint that sends to a path, and its secret. */
  connect(token: string, endpoint: ConnectedEndpoint): void;
  endpoints(): readonly (Omit<ConnectedEndpoint, 'secret'> & { readonly token: string })[];
  readonly settings: ReceiverSettings;
}

export interface ConnectedEndpoint {
  readonly id: string;
  readonly secret: string;
}

export interface ReceiverOptions {
  readonly now: () => number;
  /** Names the header of the signature. */
  readonly brand: string;
  readonly onReceived: () => void;
  /** Keeps the secrets; default: for this run. */
  readonly kept?: Map<string, ConnectedEndpoint>;
}

const webhooksMax = 500;
const bodyCharactersMax = 200_000;

export function createReceiver({ now, brand, onReceived, kept = new Map() }: ReceiverOptions): Receiver {
  let webhooks: ReceivedWebhook[] = [];
  let position = 0;
  const settings = { status: 200 };

  const check = (header: string | undefined, body: string, secret: string | undefined) => {
    if (header === undefined) return 'missing';
    if (secret === undefined) return 'unknown-secret';
    const nowSeconds = Math.floor(now() / 1000);
    return verifySignature({ header, body, secret, nowSeconds }) ? 'valid' : 'invalid';
  };

  return {
    settings,
    take(token, headers, bytes) {
      const body = bytes.toString();
      const endpoint = kept.get(token);
      position += 1;
      webhooks.push({
        position,
        at: now(),
        endpointId: endpoint?.id ?? null,
        headers,
        body: body.slice(0, bodyCharactersMax),
        bytes: bytes.length,
        signature: check(headers[`${brand.toLowerCase()}-signature`], body, endpoint?.secret),
        answered: settings.status,
      });
      if (webhooks.length > webhooksMax) webhooks = webhooks.slice(-webhooksMax / 2);
      onReceived();
      return settings.status;
    },
    list: () => webhooks.toReversed(),
    clear() {
      webhooks = [];
    },
    connect: (token, endpoint) => void kept.set(token, endpoint),
    endpoints: () => [...kept].map(([token, { id }]) => ({ token, id })),
  };
}
