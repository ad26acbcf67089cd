/** What the operator is told of an error: one sentence, what to do, and the request id of AWS. */
import type { Explanation } from '../../clients/cli/src/terminal/exit.ts';
import { NoTarget } from '../../lib/adapters/operator-target.ts';
import { Problem } from '../../lib/core/problems.ts';

/** An error of the SDK for JavaScript, as far as it is known here. */
interface AwsError extends Error {
  readonly code?: string;
  readonly hostname?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

interface Kind {
  readonly when: RegExp;
  readonly message: (error: AwsError) => string;
  readonly hint: string;
}

/**
 * By the names of the errors: "Common errors" in the API references of the services, and those of the SDK itself.
 * The first that fits.
 */
const kinds: readonly Kind[] = [
  {
    when: /^CredentialsProviderError$|^TokenProviderError$/,
    message: () => 'No AWS credentials were found.',
    hint: 'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; for the local run, give --local.',
  },
  {
    when: /^(ExpiredToken(Exception)?|RequestExpired|ExpiredTokenException)$/,
    message: () => 'The AWS credentials have expired.',
    hint: 'Sign in again, such as with aws sso login.',
  },
  {
    when: /^(UnrecognizedClientException|InvalidClientTokenId|InvalidAccessKeyId|AuthFailure|InvalidToken)$/,
    message: () => 'AWS does not know the credentials.',
    hint: 'Check AWS_PROFILE and AWS_ACCESS_KEY_ID; the region may not be enabled for the account either.',
  },
  {
    when: /^(SignatureDoesNotMatch|InvalidSignatureException|RequestTimeTooSkewed|IncompleteSignature)$/,
    message: () => 'AWS refuses the signature of the request.',
    hint: 'Check AWS_SECRET_ACCESS_KEY, and the clock of this machine.',
  },
  {
    when: /^(AccessDenied(Exception)?|UnauthorizedOperation|AuthorizationError(Exception)?|NotAuthorized)$/,
    message: ({ message }) => `AWS does not allow the call: ${sentence(message)}`,
    hint: 'Give the credentials this permission, or use others.',
  },
  {
    when: /Throttl|^TooManyRequests|^RequestLimitExceeded$|^SlowDown$|ThroughputExceeded|^LimitExceeded/,
    message: () => 'AWS throttles the calls.',
    hint: 'Wait a minute, and repeat the command.',
  },
  {
    when: /^(TableBusy|RecordContended)$/,
    message: () => 'The table is busy; the command was not carried out.',
    hint: 'Wait a minute, and repeat the command.',
  },
  {
    when: /^(ENOTFOUND|EAI_AGAIN)$/,
    message: ({ hostname = 'the endpoint' }) => `The name ${hostname} has no address.`,
    hint: 'Check --region, and the network.',
  },
  {
    when: /^(TimeoutError|AbortError|ECONN\w+|ETIMEDOUT|EPIPE|ENETUNREACH|EHOSTUNREACH|NetworkingError)$/,
    message: () => 'Nothing answers there.',
    hint: 'Check the network; with --local, whether npm start is still up.',
  },
  {
    when: /^ResourceNotFoundException$|^(QueueDoesNotExist|NoSuchBucket|NotFoundException)$/,
    message: ({ message }) => `A part of the deployment is missing: ${sentence(message)}`,
    hint: 'npm run doctor tells more; deploy again.',
  },
];

/** null: an error of this program. */
export function explain(error: unknown): Explanation | null {
  if (error instanceof Problem) {
    return { message: error.message, code: error.code, issues: error.issues };
  }
  if (error instanceof NoTarget) {
    return { message: error.message, hint: error.hint, ...requestOf(error) };
  }
  return ofEnvironment(error) ?? ofAws(error);
}

/** Of `lib/env.ts`, whose names are in upper case. */
function ofEnvironment(error: unknown): Explanation | null {
  if (!(error instanceof Error) || error.name !== 'ZodError') return null;
  const { issues = [] } = error as { issues?: readonly { path: PropertyKey[]; message: string }[] };
  if (!issues.some(({ path }) => /^[A-Z_]+$/.test(String(path[0])))) return null;
  return {
    message: 'The environment of the deployment is not that of this version.',
    hint: 'Use the version that is deployed, or deploy this one; a local run is started again with npm start.',
    issues: issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  };
}

function ofAws(error: unknown): Explanation | null {
  for (const one of chainOf(error)) {
    const names = namesOf(one);
    const kind = kinds.find(({ when }) => names.some((name) => when.test(name)));
    if (kind) {
      return { message: kind.message(one), hint: kind.hint, code: names[0], ...requestOf(error) };
    }
  }
  const answered = chainOf(error).find(({ $metadata }) => $metadata?.httpStatusCode !== undefined);
  if (!answered) return null;
  return {
    message: `AWS refuses the call: ${sentence(answered.message)}`,
    code: answered.name,
    ...requestOf(error),
  };
}

/** Node names its errors by their code, and collects those of several addresses. */
function namesOf(error: AwsError): string[] {
  return [error.code, error.name].filter((name) => typeof name === 'string' && name !== 'Error') as string[];
}

const causesMax = 5;

/** An error with its causes, and with the errors that it collects. */
function chainOf(error: unknown, left = causesMax): AwsError[] {
  if (!(error instanceof Error) || left === 0) return [];
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return [error, ...inner.flatMap((one) => chainOf(one, left - 1))];
}

/** The request that AWS refused, of an error or of its causes. */
export function requestOf(error: unknown): Pick<Explanation, 'requestId' | 'status'> {
  const metadata = chainOf(error).find(({ $metadata }) => $metadata?.requestId !== undefined)?.$metadata;
  return { requestId: metadata?.requestId, status: metadata?.httpStatusCode };
}

const sentence = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
