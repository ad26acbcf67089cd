/** Calls of the Lambda API: invocations, the limits of the account, the configuration of a function, and whether it may be in a recursive loop. */
import * as z from 'zod';
import { type FunctionSpec, InvocationFailed, recursiveLoopSettings } from '../function-thread.ts';
import { type Functions, recursive, throttled } from '../functions.ts';
import { jsonBody, jsonError, jsonResponse, parseInput, unsupported } from './json-protocol.ts';
import { type AwsCall, AwsError, type AwsResponse, type AwsService, localAccount } from './service.ts';

export interface LambdaApiOptions {
  readonly concurrentExecutions: number;
  /** The function of this name; null: there is none. */
  readonly functionOf: (functionName: string) => FunctionSpec | null;
  readonly invoke: Functions['invoke'];
}

const routes = {
  Invoke: { method: 'POST', path: /^\/2015-03-31\/functions\/([^/]+)\/invocations$/ },
  GetAccountSettings: { method: 'GET', path: /^\/2016-08-19\/account-settings\/?$/ },
  GetFunctionConfiguration: { method: 'GET', path: /^\/2015-03-31\/functions\/([^/]+)\/configuration$/ },
  GetFunctionRecursionConfig: {
    method: 'GET',
    path: /^\/2024-08-31\/functions\/([^/]+)\/recursion-config$/,
  },
  PutFunctionRecursionConfig: {
    method: 'PUT',
    path: /^\/2024-08-31\/functions\/([^/]+)\/recursion-config$/,
  },
} as const;
type Action = keyof typeof routes;

const recursionConfig = z.strictObject({ RecursiveLoop: z.enum(recursiveLoopSettings) });

function actionOf({ method, path }: AwsCall): Action {
  const found = (Object.keys(routes) as Action[]).find(
    (name) => routes[name].method === method && routes[name].path.test(path),
  );
  return found ?? unsupported('lambda', `${method} ${path}`);
}

const nameIn = (call: AwsCall): string => routes[actionOf(call)].path.exec(call.path)?.[1] ?? '';

/** The operations of `routes` ("AWS Lambda API Reference"). */
export function createLambdaApi({ concurrentExecutions, functionOf, invoke }: LambdaApiOptions): AwsService {
  const arnOf = (region: string, name: string) => `arn:aws:lambda:${region}:${localAccount}:function:${name}`;

  function called(call: AwsCall): FunctionSpec {
    const name = nameIn(call);
    const found = functionOf(name);
    if (found) return found;
    const arn = arnOf(call.region, name);
    throw new AwsError('ResourceNotFoundException', `Function not found: ${arn}`, 404);
  }

  const handlers: Readonly<Record<Exclude<Action, 'Invoke'>, (call: AwsCall) => object>> = {
    GetAccountSettings: () => ({
      AccountLimit: {
        ConcurrentExecutions: concurrentExecutions,
        UnreservedConcurrentExecutions: concurrentExecutions,
      },
    }),
    GetFunctionConfiguration(call) {
      const { name, environment } = called(call);
      return {
        FunctionName: name,
        FunctionArn: arnOf(call.region, name),
        Environment: { Variables: environment },
      };
    },
    GetFunctionRecursionConfig: (call) => ({ RecursiveLoop: called(call).recursiveLoop ?? 'Terminate' }),
    PutFunctionRecursionConfig(call) {
      const { RecursiveLoop } = parseInput(recursionConfig, jsonBody(call));
      called(call).recursiveLoop = RecursiveLoop;
      return { RecursiveLoop };
    },
  };

  return {
    name: 'lambda',
    action: actionOf,
    permissions: (call) => [
      {
        action: `lambda:${actionOf(call) === 'Invoke' ? 'InvokeFunction' : actionOf(call)}`,
        resource: nameIn(call) ? arnOf(call.region, nameIn(call)) : '*',
      },
    ],
    errorResponse: (error) => jsonError(error),
    handle: async (call): Promise<AwsResponse> => {
      const action = actionOf(call);
      if (action === 'Invoke') return await invoked(call, called(call), invoke);
      return jsonResponse(handlers[action](call));
    },
  };
}

/** Errors of the call itself by their status; all others are of the function ("Invoke", AWS Lambda API Reference). */
const invokeStatus: Readonly<Record<string, number>> = {
  [throttled]: 429,
  [recursive]: 400,
  RequestEntityTooLargeException: 413,
};

/** The payload of a synchronous invocation. @throws AwsError */
async function invoked(
  call: AwsCall,
  { name }: FunctionSpec,
  invoke: Functions['invoke'],
): Promise<AwsResponse> {
  if ((call.headers['x-amz-invocation-type'] ?? 'RequestResponse') !== 'RequestResponse') {
    unsupported('lambda', 'asynchronous invocations');
  }
  const trace = call.headers['x-amzn-trace-id'];
  try {
    return jsonResponse(
      await invoke(name, jsonBody(call), { isNested: true, ...(trace && { traces: [trace] }) }),
    );
  } catch (error) {
    if (!(error instanceof InvocationFailed)) throw error;
    const { errorType, message: errorMessage } = error;
    const status = invokeStatus[errorType];
    if (status !== undefined) throw new AwsError(errorType, errorMessage, status);
    const failure = jsonResponse({ errorType, errorMessage });
    return { ...failure, headers: { ...failure.headers, 'x-amz-function-error': 'Unhandled' } };
  }
}
