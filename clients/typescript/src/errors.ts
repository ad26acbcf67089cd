/** The errors of the library. Each has a `code`: that of the problem body, or one of those below. */
import type { Issue, ProblemCode } from './types.ts';

/** What an error knows. */
export interface ErrorFacts {
  readonly detail: string;
  readonly status?: number | null | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly requestId?: string | null | undefined;
  readonly retryAfter?: number | null | undefined;
  /** Method and path of the request, such as `POST /emails`. */
  readonly request?: string | null | undefined;
  readonly cause?: unknown;
}

/** Every error of the library. Branch on `code`, or on the class. */
export class ParleyError extends Error {
  /** Stable: a problem code of the API, or the code of the class. */
  readonly code: string;
  /** HTTP status; null where no answer arrived. */
  readonly status: number | null;
  /** A sentence for people; its wording may change. */
  readonly detail: string;
  /** The parts of the request that were refused. */
  readonly issues: readonly Issue[];
  /** `X-Request-ID` of the answer. The operator of the deployment finds the request by it. */
  readonly requestId: string | null;
  /** Seconds that the service asks to wait; null without a demand. */
  readonly retryAfter: number | null;
  /** Method and path of the request, such as `POST /emails`. */
  readonly request: string | null;

  constructor(code: string, facts: ErrorFacts) {
    super(messageOf(code, facts), facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = nameOf(code);
    this.code = code;
    this.status = facts.status ?? null;
    this.detail = facts.detail;
    this.issues = facts.issues ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
    this.request = facts.request ?? null;
  }
}

const issuesInMessage = 5;

function messageOf(code: string, { request, status, detail, issues = [], requestId }: ErrorFacts): string {
  const shown = issues.slice(0, issuesInMessage).map(({ path, message }) => `${path} ${message}`.trim());
  if (issues.length > issuesInMessage) shown.push(`and ${issues.length - issuesInMessage} more`);
  const head = request ? `${request}: ${status ? `${status} ` : ''}${code}. ` : '';
  const tail = requestId ? ` [request ${requestId}]` : '';
  return `${head}${detail}${shown.length > 0 ? ` (${shown.join('; ')})` : ''}${tail}`;
}

/** `not_found` is `NotFoundError`; minified classes have no names of their own. */
function nameOf(code: string): string {
  const words = code
    .replace(/_error$/, '')
    .replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return `${words}Error`;
}

/** The API answered with a problem body. There is a class for each code, such as `NotFoundError`. */
export class ProblemError extends ParleyError {
  declare readonly code: ProblemCode;
  declare readonly status: number;

  constructor(code: ProblemCode, facts: ErrorFacts) {
    super(code, facts);
  }
}

/** A problem of one code. `instanceof` makes type parameters `any`, so that `ProblemError` has none. */
export class ProblemErrorOf<Code extends ProblemCode> extends ProblemError {
  declare readonly code: Code;

  constructor(code: Code, facts: ErrorFacts) {
    super(code, facts);
  }
}

/** `gateway_error`: the gateway in front of the API answered, without a problem body: 413, 429 or 503. */
export class GatewayError extends ParleyError {
  declare readonly code: 'gateway_error';

  constructor(facts: ErrorFacts) {
    super('gateway_error', facts);
  }
}

/** `unexpected_response`: an answer that is not of the API, or was cut: html, no body, half of a JSON. */
export class UnexpectedResponseError extends ParleyError {
  declare readonly code: 'unexpected_response';

  constructor(facts: ErrorFacts) {
    super('unexpected_response', facts);
  }
}

/** `connection_error`: no answer arrived. `cause` has the error of `fetch`. */
export class ConnectionError extends ParleyError {
  declare readonly code: 'connection_error';

  constructor(facts: ErrorFacts) {
    super('connection_error', facts);
  }
}

/** `timeout`: an attempt took longer than `timeoutMs`. */
export class TimeoutError extends ParleyError {
  declare readonly code: 'timeout';

  constructor(facts: ErrorFacts) {
    super('timeout', facts);
  }
}

/** `aborted`: the signal of the request was aborted; `cause` has its reason. */
export class AbortedError extends ParleyError {
  declare readonly code: 'aborted';

  constructor(facts: ErrorFacts) {
    super('aborted', facts);
  }
}

/** `invalid_argument`: the call cannot be sent as it is. */
export class InvalidArgumentError extends ParleyError {
  declare readonly code: 'invalid_argument';

  constructor(detail: string, cause?: unknown) {
    super('invalid_argument', { detail, cause });
  }
}

/** Why a webhook is refused. */
export type WebhookRefusal =
  | 'no_signature'
  | 'malformed_signature'
  | 'wrong_signature'
  | 'too_old'
  | 'in_the_future'
  | 'invalid_secret'
  | 'invalid_body';

/** `webhook_verification`: the request is not proved to come from Parley. Answer 400. */
export class WebhookVerificationError extends ParleyError {
  declare readonly code: 'webhook_verification';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, detail: string, cause?: unknown) {
    super('webhook_verification', { detail, cause });
    this.reason = reason;
  }
}
