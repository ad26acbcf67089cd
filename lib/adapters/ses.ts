/** SES, the sending side: one hand-off, with what is known of its outcome. */
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { env } from '../env.ts';

/** What became of a hand-off. Only `unknown` leaves open whether the message goes out. */
export type HandOffOutcome =
  | { readonly kind: 'accepted'; readonly providerId: string }
  /** Refused for good: trying again would change nothing. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Certainly not taken, and worth another try. */
  | { readonly kind: 'later'; readonly reason: string }
  /** Timed out or broken off: SES may have taken it. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface HandOff {
  readonly region: string;
  readonly from: string;
  /** Envelope recipients, at most 50. */
  readonly recipients: readonly string[];
  readonly raw: Uint8Array;
  /** `[A-Za-z0-9_-]` names and values; the provider's events carry them. */
  readonly tags: Readonly<Record<string, string>>;
}

const requestTimeoutMs = 20_000;
const clients = new Map<string, SESv2Client>();

function clientOf(region: string): SESv2Client {
  const known = clients.get(region);
  if (known) return known;
  const client = new SESv2Client({
    region,
    // SES has no idempotency token: the SDK's own retries could send a message three times.
    maxAttempts: 1,
    requestHandler: { requestTimeout: requestTimeoutMs, throwOnRequestTimeout: true },
  });
  clients.set(region, client);
  return client;
}

/** Hands a message to SES, once. Never throws: every failure is an outcome. */
export async function handToSes(handOff: HandOff): Promise<HandOffOutcome> {
  try {
    const answer = await clientOf(handOff.region).send(
      new SendEmailCommand({
        FromEmailAddress: handOff.from,
        Destination: { ToAddresses: [...handOff.recipients] },
        Content: { Raw: { Data: handOff.raw } },
        ConfigurationSetName: env().CONFIGURATION_SET,
        EmailTags: Object.entries(handOff.tags).map(([Name, Value]) => ({ Name, Value })),
      }),
      { abortSignal: AbortSignal.timeout(requestTimeoutMs) },
    );
    if (answer.MessageId) return { kind: 'accepted', providerId: answer.MessageId };
    return { kind: 'unknown', reason: 'SES answered without a message id' };
  } catch (error) {
    return outcomeOfError(error);
  }
}

/** The parts of SDK and socket errors that tell outcomes apart. */
interface SendingError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const throttles = new Set([
  'TooManyRequestsException',
  'ThrottlingException',
  'Throttling',
  'LimitExceededException',
]);
/** The connection never stood, so nothing was handed over. */
const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** The deployment is at fault, not the message: it waits until that is mended. */
const deploymentFaults = new Set([
  'AccessDeniedException',
  'AccountSuspendedException',
  'SendingPausedException',
  'UnrecognizedClientException',
  'ExpiredTokenException',
]);

export function outcomeOfError(thrown: unknown): HandOffOutcome {
  const error = thrown as SendingError;
  const status = error.$metadata?.httpStatusCode;
  const reason = `${error.name ?? 'Error'}: ${error.message ?? 'no message'}`;
  const text = error.message ?? '';
  if (throttles.has(error.name ?? '') || /maximum sending rate|daily message quota|throttl/i.test(text)) {
    return { kind: 'later', reason };
  }
  if (deploymentFaults.has(error.name ?? '') || notConnected.has(error.code ?? '')) {
    return { kind: 'later', reason };
  }
  if (status !== undefined && status >= 400 && status < 500) return { kind: 'refused', reason };
  return { kind: 'unknown', reason };
}
