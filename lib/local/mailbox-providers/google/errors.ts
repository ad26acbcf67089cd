/** Errors of Google's APIs ("Resolve errors", Gmail API; "Errors", API design guide). */
import type { FaultEntry } from '../../aws/faults.ts';
import type { HttpResponse } from '../../http-server.ts';
import { jsonResponse, Refusal } from '../http.ts';

export interface GoogleError {
  readonly code: number;
  readonly message: string;
  /** `status` of the error model: `NOT_FOUND`. */
  readonly status: string;
  readonly reason: string;
  readonly domain?: string;
}

export function googleErrorResponse(
  { code, message, status, reason, domain = 'global' }: GoogleError,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return jsonResponse(
    code,
    { error: { code, message, errors: [{ message, domain, reason }], status } },
    headers,
  );
}

export function googleError(error: GoogleError): Refusal {
  return new Refusal(googleErrorResponse(error));
}

export function notFoundResponse(): HttpResponse {
  return googleErrorResponse({
    code: 404,
    message: 'Requested entity was not found.',
    status: 'NOT_FOUND',
    reason: 'notFound',
  });
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const reasons: Readonly<Record<number, string>> = {
  401: 'authError',
  403: 'rateLimitExceeded',
  404: 'notFound',
  429: 'rateLimitExceeded',
};

/** The response of an injected `throttle` or `error`; by default 429 and 500. `code` is the reason, or the OAuth error. */
export function googleFault(fault: FaultEntry, service: string): HttpResponse {
  const code = fault.status ?? (fault.kind === 'throttle' ? 429 : 500);
  const headers =
    fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
  if (service === 'google') {
    const error = fault.code ?? (code >= 500 ? 'internal_failure' : 'rate_limit_exceeded');
    return jsonResponse(code, { error, error_description: fault.message ?? 'An injected fault.' }, headers);
  }
  return googleErrorResponse(
    {
      code,
      message: fault.message ?? (code === 429 ? 'User-rate limit exceeded.' : 'Backend Error'),
      status: statusNames[code] ?? 'UNKNOWN',
      reason: fault.code ?? reasons[code] ?? 'backendError',
      domain: code === 429 || code === 403 ? 'usageLimits' : 'global',
    },
    headers,
  );
}
