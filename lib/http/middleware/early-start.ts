/**
 * Starts handlers beside authentication (docs/decisions/0062-handlers-that-start-early.md): a request whose key was seen before then
 * waits once for its key, its budget and what the handler looks up.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../core/api-key.ts';
import { Problem } from '../../core/problems.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import type { GatewayResponse, Middleware, RequestContext } from '../request-context.ts';
import { callerOf } from './authenticate.ts';

/**
 * Resolves once key, scope and budget of the request have passed. Rejects with the error of the response where one of them has
 * not: what was written must then be taken back.
 */
export type Confirmed = () => Promise<void>;

/** Reads the input of a request and runs its handler for a caller. */
export type Run = (context: RequestContext, caller: Caller, confirmed: Confirmed) => Promise<GatewayResponse>;

/** A handler that has started before its caller was confirmed. */
interface Started {
  readonly caller: Caller;
  readonly confirmation: PromiseWithResolvers<void>;
  readonly response: Promise<GatewayResponse>;
}

export interface EarlyStart {
  /** Stands before authentication. */
  readonly start: Middleware;
  /** Stands behind the last check of the caller. */
  readonly confirm: Middleware;
  /** The response of the handler that has started; null: none has. */
  responseOf(context: RequestContext): Promise<GatewayResponse> | null;
}

/** @param operation its id, for the log */
export function earlyStart(operation: string, run: Run): EarlyStart {
  const unconfirmed = new WeakMap<RequestContext, Started>();
  const confirmed = new WeakMap<RequestContext, Started>();

  /** Waits for the end of a handler that must not go on: nothing of it may run after the response, when Lambda freezes the function. */
  async function takeBack(context: RequestContext, reason: unknown): Promise<void> {
    const started = unconfirmed.get(context);
    if (!started) return;
    unconfirmed.delete(context);
    started.confirmation.reject(reason);
    const [result] = await Promise.allSettled([started.response]);
    if (result.status === 'fulfilled' || result.reason === reason || result.reason instanceof Problem) return;
    logEvent('api.early_start_failed', {
      operation,
      request_id: context.requestId,
      error: describeError(result.reason),
    });
  }

  return {
    start: {
      before({ event: context }) {
        const caller = context.expectedCaller;
        if (!caller) return;
        const confirmation = Promise.withResolvers<void>();
        const response = startNext(() => run(context, caller, () => confirmation.promise));
        // Both are awaited later; until then a rejection is no unhandled one.
        confirmation.promise.catch(() => {});
        response.catch(() => {});
        unconfirmed.set(context, { caller, confirmation, response });
      },
      async onError({ event: context, error }) {
        await takeBack(context, error);
      },
    },
    confirm: {
      async before({ event: context }) {
        const started = unconfirmed.get(context);
        if (!started) return;
        if (!isDeepStrictEqual(started.caller, callerOf(context))) {
          return await takeBack(context, new Error('the key has another caller than it had'));
        }
        unconfirmed.delete(context);
        confirmed.set(context, started);
        started.confirmation.resolve();
      },
    },
    responseOf: (context) => confirmed.get(context)?.response ?? null,
  };
}

/** Begins `work` when the calls that were made before are on their way: a large body takes long to parse. */
async function startNext<T>(work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setImmediate(resolve));
  return await work();
}
