/** Submits messages to SES and classifies the outcome of each submission. */
import { SendEmailCommand } from '@aws-sdk/client-sesv2';
import { env } from '../env.ts';
import { hostOf } from '../mail/addresses/addresses.ts';
import { sesClients } from './ses-clients.ts';

/** Outcome of a submission. Only with `unconfirmed` may SES have taken the message or not. */
export type SubmissionOutcome =
  | { readonly kind: 'accepted'; readonly providerId: string }
  /** Refused; a retry would be refused too. */
  | { readonly kind: 'refused'; readonly cause: RefusalCause; readonly reason: string }
  /** Certainly not taken; to be retried. */
  | { readonly kind: 'delayed'; readonly cause: DelayCause; readonly reason: string }
  /** Timeout, server error or broken connection: SES may have taken it. */
  | { readonly kind: 'unconfirmed'; readonly reason: string };

/** Why SES refuses a message; see "Submissions refused" in docs/runbook.md. */
export type RefusalCause =
  /** The account is in the sandbox of the region and a recipient is not a verified address. */
  | 'sandbox'
  /** The sending domain or its MAIL FROM domain is not verified in SES. */
  | 'sender'
  /** Format, content or recipients of this message. */
  | 'message';

/** Why SES takes no mail now; see "Submissions blocked" in docs/runbook.md. */
export type DelayCause =
  /** The sending rate of the account in this region is exceeded. */
  | 'sending_rate'
  /** The 24-hour quota of the account in this region is used up. */
  | 'daily_quota'
  /** SES suspended or paused the account. */
  | 'account'
  /** The function has no permission to call SES. */
  | 'permissions'
  /** No connection was established. */
  | 'network';

export interface Submission {
  readonly region: string;
  readonly from: string;
  /** SES tenant that the message is sent for; null: none. */
  readonly tenant: string | null;
  /** Envelope recipients, at most 50. */
  readonly recipients: readonly string[];
  readonly raw: Uint8Array;
  /** Names and values of `[A-Za-z0-9_-]`; provider events carry them. */
  readonly tags: Readonly<Record<string, string>>;
}

const requestTimeoutMs = 20_000;
// SES has no idempotency token: a retry of the SDK could send the message again.
const clientOf = sesClients({ requestMs: requestTimeoutMs, maxAttempts: 1 });

/** Submits a message to SES, in one attempt. Never throws: every failure is an outcome. */
export async function submitToSes(submission: Submission): Promise<SubmissionOutcome> {
  try {
    const answer = await clientOf(submission.region).send(
      new SendEmailCommand({
        FromEmailAddress: submission.from,
        Destination: { ToAddresses: [...submission.recipients] },
        Content: { Raw: { Data: submission.raw } },
        ConfigurationSetName: env().CONFIGURATION_SET,
        ...(submission.tenant !== null && { TenantName: submission.tenant }),
        EmailTags: Object.entries(submission.tags).map(([Name, Value]) => ({ Name, Value })),
      }),
      { abortSignal: AbortSignal.timeout(requestTimeoutMs) },
    );
    if (answer.MessageId) return { kind: 'accepted', providerId: answer.MessageId };
    return { kind: 'unconfirmed', reason: 'SES answered without a message id' };
  } catch (error) {
    return outcomeOfError(error, submission.from);
  }
}

/** The parts of SDK and socket errors that tell outcomes apart. */
interface SendingError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** SES errors that concern all mail of the region, not one message ("SendEmail", Amazon SES API v2 Reference). */
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
/** Without a connection nothing was transmitted. */
const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * The outcome of a submission that failed with an SDK error.
 *
 * @param from the sender's address: SES uses one error for a sender and for recipients that are not verified
 */
export function outcomeOfError(thrown: unknown, from: string): SubmissionOutcome {
  const error = thrown as SendingError;
  const status = error.$metadata?.httpStatusCode;
  const reason = `${error.name ?? 'Error'}: ${error.message ?? 'no message'}`;
  const delay = delayOf(error);
  if (delay) return { kind: 'delayed', cause: delay, reason };
  if (status !== undefined && status >= 400 && status < 500) {
    return { kind: 'refused', cause: refusalOf(error, from), reason };
  }
  return { kind: 'unconfirmed', reason };
}

/**
 * The message decides before the name: SES reports throttling under several names, and names the limit in the message only
 * ("Errors related to the sending quotas for your Amazon SES account").
 */
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
