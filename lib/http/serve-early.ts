/** Lambda handlers of operations that start before their caller is confirmed. Apart from `serve.ts`: most functions do not load it. */
import type * as z from 'zod';
import type { Contract, ResponseSpec } from './contract.ts';
import { type Confirmed, earlyStart } from './middleware/early-start.ts';
import type { LambdaHandler } from './request-context.ts';
import { type ApiRequest, type ApiResponse, type Dependencies, lambdaHandler, runOf } from './serve.ts';

/** A request whose caller may not be confirmed yet. */
export interface EarlyRequest<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
> extends Omit<ApiRequest<Params, Query, Body>, 'caller'> {
  /** The caller, or where `confirmed` rejects, the one that the key had before. */
  readonly expectedCaller: ApiRequest['caller'];
  readonly confirmed: Confirmed;
}

/**
 * As `serve`, with a handler that starts beside authentication where the function has seen the key before: what it looks up takes no
 * wait of its own (docs/decisions/0062-handlers-that-start-early.md). The order of checks stays: whatever the handler throws, the
 * checks of the caller come first.
 *
 * `handle` awaits `confirmed` before it answers, and before it writes anything but what it takes back when `confirmed` rejects. It
 * settles only when no write of it is under way any more.
 */
export function serveEarly<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType | null,
  Responses extends Readonly<Record<number, ResponseSpec>>,
>(
  contract: Contract<Params, Query, Body, Responses>,
  handle: (request: EarlyRequest<Params, Query, Body>) => Promise<ApiResponse<NoInfer<Responses>>>,
  dependencies?: Dependencies,
): LambdaHandler {
  const run = runOf(contract, async ({ caller: expectedCaller, ...request }, confirmed) => {
    let isConfirmed = false;
    const awaited = async () => {
      await confirmed();
      isConfirmed = true;
    };
    const response = await handle({ ...request, expectedCaller, confirmed: awaited });
    if (!isConfirmed) throw new Error(`the handler of ${contract.id} did not wait for its caller`);
    return response;
  });
  return lambdaHandler(contract, run, earlyStart(contract.id, run), dependencies);
}
