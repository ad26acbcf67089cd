/**
 * Errors of the Microsoft identity platform ("Microsoft Entra authentication and authorization error codes") and of Microsoft
 * Graph ("Microsoft Graph error responses and resource types").
 */
import { escapeHtml } from '../../../mail/html/escape-html.ts';
import type { FaultEntry } from '../../aws/faults.ts';
import type { HttpResponse } from '../../http-server.ts';
import { providerPage } from '../consent-page.ts';
import { jsonResponse, Refusal } from '../http.ts';
import type { MicrosoftState } from './state.ts';

type Context = Pick<MicrosoftState, 'now' | 'text'>;

/** A page for the user: such errors are never sent to the redirect URI. */
export function signInError(code: number, message: string): Refusal {
  const body = `<p>AADSTS${code}: ${escapeHtml(message)}</p>`;
  return new Refusal(providerPage(400, 'We cannot sign you in', body));
}

export interface TokenErrorBody {
  readonly status: number;
  /** Of OAuth 2.0: `invalid_grant`. */
  readonly error: string;
  readonly code: number;
  readonly message: string;
}

/** An error of the token endpoint, with its AADSTS code. */
export function tokenError(
  { now, text }: Context,
  { status, error, code, message }: TokenErrorBody,
): Refusal {
  const timestamp = `${new Date(now()).toISOString().slice(0, 19).replace('T', ' ')}Z`;
  const [trace_id, correlation_id] = [text.uuid(), text.uuid()];
  return new Refusal(
    jsonResponse(status, {
      error,
      error_description: `AADSTS${code}: ${message} Trace ID: ${trace_id} Correlation ID: ${correlation_id} Timestamp: ${timestamp}`,
      error_codes: [code],
      timestamp,
      trace_id,
      correlation_id,
      error_uri: `https://login.microsoftonline.com/error?code=${code}`,
    }),
  );
}

interface GraphErrorBody {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export function graphErrorResponse(
  { now, text }: Context,
  { status, code, message }: GraphErrorBody,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const requestId = text.uuid();
  const innerError = {
    date: new Date(now()).toISOString().slice(0, 19),
    'request-id': requestId,
    'client-request-id': requestId,
  };
  return jsonResponse(
    status,
    { error: { code, message, innerError } },
    { 'request-id': requestId, ...headers },
  );
}

export function graphError(context: Context, status: number, code: string, message: string): Refusal {
  return new Refusal(graphErrorResponse(context, { status, code, message }));
}

/** An answer that only the emulator gives: the call is not modelled. */
export function notModelled(context: Context, what: string): Refusal {
  return graphError(context, 400, 'BadRequest', `The local Microsoft Graph does not model ${what}.`);
}

const codes: Readonly<Record<number, string>> = {
  401: 'InvalidAuthenticationToken',
  403: 'ErrorAccessDenied',
  404: 'ErrorItemNotFound',
  410: 'SyncStateNotFound',
  429: 'ApplicationThrottled',
  503: 'serviceNotAvailable',
  504: 'UnknownError',
};

/** The response of an injected `throttle` or `error`; by default 429 and 500. `code` is the error's, or the OAuth error. */
export function microsoftFault(context: Context, fault: FaultEntry, service: string): HttpResponse {
  const status = fault.status ?? (fault.kind === 'throttle' ? 429 : 500);
  const headers =
    fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
  const message = fault.message ?? 'An injected fault.';
  if (service === 'microsoft') {
    const error = fault.code ?? (status >= 500 ? 'temporarily_unavailable' : 'invalid_request');
    return jsonResponse(status, { error, error_description: message, error_codes: [] }, headers);
  }
  const code = fault.code ?? codes[status] ?? 'generalException';
  return graphErrorResponse(context, { status, code, message }, headers);
}
