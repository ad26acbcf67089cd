/** Errors that reach clients: every code with its status (docs/concepts/errors.md#codes). */

export const problemStatus = {
  unauthorized: 401,
  forbidden: 403,
  shared_apps_disabled: 403,
  unsupported_media_type: 415,
  invalid_json: 400,
  invalid_request: 422,
  invalid_query: 400,
  invalid_cursor: 400,
  invalid_thread_id: 400,
  invalid_idempotency_key: 400,
  method_not_allowed: 405,
  no_body: 400,
  no_recipients: 400,
  sender_unknown: 400,
  too_many_recipients: 400,
  attachments_too_large: 413,
  not_found: 404,
  thread_not_found: 404,
  thread_empty: 409,
  thread_claimed: 409,
  email_in_progress: 409,
  not_prepared: 404,
  not_scheduled: 409,
  not_draft: 409,
  draft_changed: 409,
  idempotency_key_reused: 409,
  domain_unverified: 409,
  domain_taken: 409,
  reserved_subdomain: 409,
  reserved_domain: 409,
  domain_provided: 409,
  slug_taken: 409,
  member_exists: 409,
  last_owner: 409,
  external_id_taken: 409,
  limit_reached: 409,
  workspace_suspended: 409,
  mailbox_inactive: 409,
  mailbox_space_conflict: 409,
  mailbox_account_conflict: 409,
  invalid_domain: 400,
  unknown_region: 400,
  invalid_state: 400,
  expired_state: 400,
  invalid_tenant: 400,
  invalid_return_url: 400,
  return_url_not_registered: 400,
  too_many_requests: 429,
  rate_limited: 429,
  sending_limit: 429,
  send_failed: 502,
  provider_error: 502,
  internal_error: 500,
} as const;

export type ProblemCode = keyof typeof problemStatus;

/** An invalid part of a request: `path` such as `to.0.address`, `message` a predicate such as "is required". */
export interface Issue {
  path: string;
  message: string;
}

interface HeldClaim {
  readonly owner: string;
  readonly expiresAt: number;
}

/** The only error that reaches clients; every other error becomes `internal_error`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly issues: readonly Issue[] | undefined;
  /** Of `thread_claimed`: who has the claim until when, Unix milliseconds; undefined: nobody has one. */
  readonly claim: HeldClaim | undefined;
  /** Response headers of the problem (`Allow`, `Retry-After`, `WWW-Authenticate`). */
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param detail a sentence for people; clients branch on `code`
   */
  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      issues?: readonly Issue[];
      cause?: unknown;
      headers?: Record<string, string>;
      claim?: HeldClaim | undefined;
    } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.issues = options.issues;
    this.claim = options.claim;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return problemStatus[this.code];
  }
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemStatus, code);
}

/** A body whose field `path` fails a check that its schema cannot make. @param message a predicate */
export function invalidField(path: string, message: string): Problem {
  return new Problem('invalid_request', 'The body failed validation.', { issues: [{ path, message }] });
}
