/** Who calls the Gmail API, and with which scopes ("Choose Gmail API scopes"). */
import { bearerOf, type ProviderCall, Refusal } from '../http.ts';
import { googleError, googleErrorResponse } from './errors.ts';
import type { GmailMailbox } from './gmail-mailbox.ts';
import { type GmailScope, hasGmailScope } from './scopes.ts';
import type { GoogleState } from './state.ts';

export const readingScopes: readonly GmailScope[] = ['mail.google.com', 'modify', 'readonly'];
export const sendingScopes: readonly GmailScope[] = ['mail.google.com', 'modify', 'compose', 'send'];

export interface GmailAccess {
  readonly mailbox: GmailMailbox;
  readonly clientId: string;
}

/** The mailbox of a call (`me`, or the address of the account). @throws Refusal 401, 403 */
export function accessOf(google: GoogleState, call: ProviderCall, anyOf: readonly GmailScope[]): GmailAccess {
  const grant = google.grants.ofAccess(bearerOf(call) ?? '');
  if (!grant) {
    const error = {
      code: 401,
      message:
        'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      status: 'UNAUTHENTICATED',
      reason: 'authError',
    };
    const headers = {
      'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
    };
    throw new Refusal(googleErrorResponse(error, headers));
  }
  if (!hasGmailScope(grant.scopes, anyOf)) {
    throw googleError({
      code: 403,
      message: 'Request had insufficient authentication scopes.',
      status: 'PERMISSION_DENIED',
      reason: 'insufficientPermissions',
    });
  }
  const { userId = 'me' } = call.parameters;
  if (userId !== 'me' && userId.toLowerCase() !== grant.address) {
    throw googleError({
      code: 403,
      message: `Delegation denied for ${grant.address}`,
      status: 'PERMISSION_DENIED',
      reason: 'forbidden',
    });
  }
  return {
    mailbox: google.mailboxes.of(grant.address),
    clientId: grant.clientId,
  };
}

export function invalidArgument(message: string): Refusal {
  return googleError({ code: 400, message, status: 'INVALID_ARGUMENT', reason: 'invalidArgument' });
}

export function notFound(message = 'Requested entity was not found.'): Refusal {
  return googleError({ code: 404, message, status: 'NOT_FOUND', reason: 'notFound' });
}
