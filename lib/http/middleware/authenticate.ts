/** Authenticates the caller by the bearer token (RFC 6750, section 2.1), or else by the session of the console (docs/concepts/authentication.md). */

import type { Caller } from '../../core/access/api-key.ts';
import { Problem } from '../../core/problems.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import type { Middleware, RequestContext } from '../request-context.ts';

/** Looks up the caller of a token that is used from an address; `recordUse` updates `last_used_at` when that is due. */
export type Authenticate = (
  token: string,
  sourceIp: string,
) => Promise<{ caller: Caller; recordUse: (() => Promise<void>) | null } | null>;

/** The caller of a request without an API key by its cookies; null where no session in force is among them. @throws Problem forbidden */
export type FindSession = (context: RequestContext) => Promise<Caller | null>;

const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i;

const unauthorized = () =>
  new Problem('unauthorized', 'Send a valid API key as "Authorization: Bearer <API_KEY>".', {
    headers: { 'www-authenticate': 'Bearer' },
  });

/** The token of a request; null where it has none of the right form. */
export function bearerToken({ headers }: Pick<RequestContext, 'headers'>): string | null {
  return bearer.exec(headers.authorization ?? '')?.[1] ?? null;
}

export function authenticate(
  operation: string,
  findCaller: Authenticate,
  findSession: FindSession = async () => null,
): Middleware {
  // The update runs beside the handler and is awaited before the response: Lambda freezes the process after it.
  const notes = new WeakMap<RequestContext, Promise<void>>();
  const awaitNote: NonNullable<Middleware['after']> = async ({ event: context }) => {
    await notes.get(context);
  };
  return {
    async before({ event: context }) {
      if (context.headers.authorization === undefined && context.event.cookies) {
        context.caller = await findSession(context);
        if (!context.caller) throw unauthorized();
        return;
      }
      const token = bearerToken(context);
      const found =
        token === null ? null : await findCaller(token, context.event.requestContext.http.sourceIp);
      if (!found) throw unauthorized();
      context.caller = found.caller;
      if (found.recordUse) {
        // A failed update of `last_used_at` does not fail the request.
        const noted = found.recordUse().catch((error: unknown) => {
          logEvent('api.key_use_not_recorded', {
            operation,
            request_id: context.requestId,
            error: describeError(error),
          });
        });
        notes.set(context, noted);
      }
    },
    after: awaitNote,
    onError: awaitNote,
  };
}

/** The caller of an authenticated request. */
export function callerOf(context: RequestContext): Caller {
  if (!context.caller) throw new Error('the request is not authenticated');
  return context.caller;
}
