/** Calls of the table's client, in the thread of the test. */
import { client } from '../../lib/storage/table/table-client.ts';

/**
 * Runs `flow` while each call of the table passes through `intercept`.
 *
 * @param intercept may change what is sent and what is answered; `send` makes the call
 */
export async function interceptTable<Input extends object, T>(
  intercept: (input: Input, send: (input: Input) => Promise<object>) => Promise<object>,
  flow: () => Promise<T>,
): Promise<T> {
  const { middlewareStack } = client();
  const name = 'intercept';
  middlewareStack.add(
    (next) => async (args) => {
      let response: unknown;
      const output = await intercept(args.input as Input, async (input) => {
        const sent = await next({ ...args, input: input as never });
        response = sent.response;
        return sent.output;
      });
      return { response, output: output as never };
    },
    { step: 'serialize', name },
  );
  try {
    return await flow();
  } finally {
    middlewareStack.remove(name);
  }
}
