/** Finds out who calls, from the bearer token (interface, "Authentication"; RFC 6750, 2.1). */
import { Problem } from '../../domain/problems.ts';
import type { Caller } from '../../storage/api-keys.ts';
import type { Exchange, Layer } from '../exchange.ts';
import { logFailure } from '../log-failure.ts';

/** The caller a token stands for, and the note of this use where one is due; see `lib/storage/api-keys.ts`. */
export type Authenticate = (
  token: string,
) => Promise<{ caller: Caller; noteUse: (() => Promise<void>) | null } | null>;

const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i;

const unauthorized = () =>
  new Problem('unauthorized', 'Send a valid API key as "Authorization: Bearer <API_KEY>".', {
    headers: { 'www-authenticate': 'Bearer' },
  });

export function authenticate(operation: string, findCaller: Authenticate): Layer {
  // Runs beside the handler, and ends before the answer: Lambda freezes whatever is still under way after it.
  const notes = new WeakMap<Exchange, Promise<void>>();
  const settle: NonNullable<Layer['after']> = async ({ event: exchange }) => {
    await notes.get(exchange);
  };
  return {
    async before({ event: exchange }) {
      const token = bearer.exec(exchange.headers.authorization ?? '')?.[1];
      const found = token === undefined ? null : await findCaller(token);
      if (!found) throw unauthorized();
      exchange.caller = found.caller;
      if (found.noteUse) {
        // A use that could not be noted is no reason to refuse the request.
        const noted = found.noteUse().catch((error: unknown) => {
          logFailure({
            operation: `${operation}: note of the key's use`,
            requestId: exchange.requestId,
            error,
          });
        });
        notes.set(exchange, noted);
      }
    },
    after: settle,
    onError: settle,
  };
}

/** The caller of an authenticated exchange. */
export function callerOf(exchange: Exchange): Caller {
  if (!exchange.caller) throw new Error('the exchange has not passed the authenticate layer');
  return exchange.caller;
}
