/** Finds out who calls, from the bearer token (interface, "Authentication"; RFC 6750, 2.1). */
import { Problem } from '../../core/problems.ts';
import type { Caller } from '../../storage/api-keys.ts';
import { logFailure } from '../log-failure.ts';
import type { Middleware, RequestContext } from '../request-context.ts';

/** The caller a token stands for, and the note of this use where one is due; see `lib/storage/api-keys.ts`. */
export type Authenticate = (
  token: string,
) => Promise<{ caller: Caller; noteUse: (() => Promise<void>) | null } | null>;

const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i;

const unauthorized = () =>
  new Problem('unauthorized', 'Send a valid API key as "Authorization: Bearer <API_KEY>".', {
    headers: { 'www-authenticate': 'Bearer' },
  });

export function authenticate(operation: string, findCaller: Authenticate): Middleware {
  // Runs beside the handler, and ends before the answer: Lambda freezes whatever is still under way after it.
  const notes = new WeakMap<RequestContext, Promise<void>>();
  const settle: NonNullable<Middleware['after']> = async ({ event: context }) => {
    await notes.get(context);
  };
  return {
    async before({ event: context }) {
      const token = bearer.exec(context.headers.authorization ?? '')?.[1];
      const found = token === undefined ? null : await findCaller(token);
      if (!found) throw unauthorized();
      context.caller = found.caller;
      if (found.noteUse) {
        // A use that could not be noted is no reason to refuse the request.
        const noted = found.noteUse().catch((error: unknown) => {
          logFailure({
            operation: `${operation}: note of the key's use`,
            requestId: context.requestId,
            error,
          });
        });
        notes.set(context, noted);
      }
    },
    after: settle,
    onError: settle,
  };
}

/** The caller of an authenticated context. */
export function callerOf(context: RequestContext): Caller {
  if (!context.caller) throw new Error('the context has not passed the authenticate layer');
  return context.caller;
}
