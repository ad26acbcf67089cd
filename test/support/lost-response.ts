/** A response of DynamoDB that is lost, with what happens before the SDK makes the call again. */
import { client } from '../../lib/storage/table.ts';

const name = 'loseResponse';

/**
 * Loses the response of the next call of `action` whose body contains `match`, in the thread of the test.
 *
 * @param meanwhile runs between the call and its repetition
 */
export function loseResponse(action: string, match: string, meanwhile: () => Promise<unknown>): void {
  const { middlewareStack } = client();
  middlewareStack.add(
    (next) => async (args) => {
      const { headers, body } = args.request as { headers: Record<string, string>; body: Uint8Array };
      const result = await next(args);
      if (!headers['x-amz-target']?.endsWith(`.${action}`) || !new TextDecoder().decode(body).includes(match))
        return result;
      middlewareStack.remove(name);
      await meanwhile();
      throw Object.assign(new Error('the response was lost'), { name: 'TimeoutError' });
    },
    { step: 'finalizeRequest', priority: 'low', name },
  );
}
