/** SES, the sending side: one hand-off, with what is known of its outcome. */
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { hostOf } from '../core/mail/addresses.ts';
import { env } from '../env.ts';

/** What became of a hand-off. Only `unknown` leaves open whether the message goes out. */
export type SubmissionOutcome =
  | { readonly kind: 'accepted'; readonly providerId: string }
  /** Refused for good: trying again would change nothing. */
  | { readonly kind: 'refused'; readonly cause: RefusalCause; readonly reason: string }
  /** Certainly not taken, and worth another try. */
  | { readonly kind: 'later'; readonly cause: DelayCause; readonly reason: string }
  /** Timed out or broken off: SES may have taken it. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Why SES does not take a message at all; docs/runbook.md says what to do for each. */
export type RefusalCause =
  /** The account is in the sandbox of the region, and the recipient is not among its verified addresses. */
  | 'sandbox'
  /** SES does not hold the sending domain, or its return path, for verified. */
  | 'sender'
  /** It speaks of this message: its form, its content, its recipients. */
  | 'message';

/** Why SES takes nothing now. */
export type DelayCause =
  /** More mails a second than the account may send in this region. */
  | 'sending_rate'
  /** As many mails in 24 hours as the account may send in this region. */
  | 'daily_quota'
  /** SES has suspended the account or paused its sending. */
  | 'account'
  /** The function may not call SES. */
  | 'permissions'
  /** No connection stood. */
  | 'network';

export interface Submission {
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
export async function submitToSes(handOff: Submission): Promise<SubmissionOutcome> {
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
    return outcomeOfError(error, handOff.from);
  }
}

/** The parts of SDK and socket errors that tell outcomes apart. */
interface SendingError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Names of SES's errors that speak of all mail of the region, not of one message. */
const delays: Readonly<Record<string, DelayCause>> = {
  TooManyRequestsException: 'sending_rate',
  ThrottlingException: 'sending_rate',
  Throttling: 'sending_rate',
  LimitExceededException: 'daily_quota',
  AccountSuspendedException: 'account',
  SendingPausedException: 'account',
  AccessDeniedException: 'permissions',
  UnrecognizedClientException: 'permissions',
  ExpiredTokenException: 'permissions',
};
/** The connection never stood, so nothing was handed over. */
const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * What an error of the SDK says of the hand-off.
 *
 * @param from the sender's address: SES uses one error for a sender and for recipients that are not verified
 */
export function outcomeOfError(thrown: unknown, from: string): SubmissionOutcome {
  const error = thrown as SendingError;
  const status = error.$metadata?.httpStatusCode;
  const reason = `${error.name ?? 'Error'}: ${error.message ?? 'no message'}`;
  const delay = delayOf(error);
  if (delay) return { kind: 'later', cause: delay, reason };
  if (status !== undefined && status >= 400 && status < 500) {
    return { kind: 'refused', cause: refusalOf(error, from), reason };
  }
  return { kind: 'unknown', reason };
}

/** The words count before the name: SES says "throttled" in several ways, and which of its limits only in words. */
function delayOf({ name = '', message = '', code = '' }: SendingError): DelayCause | null {
  if (/daily (?:message|sending) quota/i.test(message)) return 'daily_quota';
  if (/maximum sending rate|throttl/i.test(message)) return 'sending_rate';
  return delays[name] ?? (notConnected.has(code) ? 'network' : null);
}

/** "Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: a@b, c@d" */
const unverified = /identities failed the check in region [^:]*:(.*)$/is;

function refusalOf({ name, message = '' }: SendingError, from: string): RefusalCause {
  if (name === 'MailFromDomainNotVerifiedException') return 'sender';
  const failed = unverified.exec(message)?.[1]?.toLowerCase();
  if (failed === undefined) return 'message';
  const identities = failed.split(',').map((identity) => identity.trim().replace(/^.*<|>$/g, ''));
  const domain = hostOf(from).toLowerCase();
  return identities.some((identity) => identity === from.toLowerCase() || identity === domain)
    ? 'sender'
    : 'sandbox';
}
