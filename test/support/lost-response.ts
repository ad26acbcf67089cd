/** Calls of DynamoDB whose response is lost, in the thread of the test. The SDK makes them again. */
import { client } from '../../lib/storage/table/table-client.ts';

const name = 'loseResponse';

/** What becomes of a call instead. @param call makes it */
type Fate = (call: () => Promise<unknown>) => Promise<unknown>;

/** Loses the response of the next call of `action` whose body contains `match`. */
function intercept(action: string, match: string, fate: Fate): void {
  const { middlewareStack } = client();
  // The repetition goes through the stack as it was at the first attempt.
  let isOver = false;
  middlewareStack.add(
    (next) => async (args) => {
      const { headers, body } = args.request as { headers: Record<string, string>; body: Uint8Array };
      const isMeant = !isOver && headers['x-amz-target']?.endsWith(`.${action}`);
      if (!isMeant || !new TextDecoder().decode(body).includes(match)) return await next(args);
      isOver = middlewareStack.remove(name);
      await fate(() => next(args));
      throw Object.assign(new Error('the response was lost'), { name: 'TimeoutError' });
    },
    { step: 'finalizeRequest', priority: 'low', name },
  );
}

/** @param meanwhile runs between the call and its repetition */
export function loseResponse(action: string, match: string, meanwhile: () => Promise<unknown>): void {
  intercept(action, match, async (call) => {
    await call();
    await meanwhile();
  });
}

/** The call itself is lost. @param meanwhile runs before its repetition */
export function loseBefore(action: string, match: string, meanwhile: () => Promise<unknown>): void {
  intercept(action, match, () => meanwhile());
}
