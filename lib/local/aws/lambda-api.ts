/** The read calls of the Lambda API: the limits of the account, and the configuration of a function. */
import { jsonError, jsonResponse, unsupported } from './json-protocol.ts';
import { type AwsCall, AwsError, type AwsService, localAccount } from './service.ts';

const settingsPath = /^\/2016-08-19\/account-settings\/?$/;
const configurationPath = /^\/2015-03-31\/functions\/([^/]+)\/configuration$/;

export interface LambdaApiOptions {
  readonly concurrentExecutions: number;
  /** The environment variables of a function; null where there is none of that name. */
  readonly environmentOf: (functionName: string) => Readonly<Record<string, string>> | null;
}

/** "GetAccountSettings", "GetFunctionConfiguration" (AWS Lambda API Reference). */
export function createLambdaApi({ concurrentExecutions, environmentOf }: LambdaApiOptions): AwsService {
  const nameIn = ({ path }: AwsCall): string => configurationPath.exec(path)?.[1] ?? '';
  const arnOf = (region: string, name: string) => `arn:aws:lambda:${region}:${localAccount}:function:${name}`;
  const action = (call: AwsCall): 'GetAccountSettings' | 'GetFunctionConfiguration' => {
    const { method, path } = call;
    if (method === 'GET' && settingsPath.test(path)) return 'GetAccountSettings';
    if (method === 'GET' && nameIn(call)) return 'GetFunctionConfiguration';
    return unsupported('lambda', `${method} ${path}`);
  };
  return {
    name: 'lambda',
    action,
    permissions: (call) => [
      { action: `lambda:${action(call)}`, resource: nameIn(call) ? arnOf(call.region, nameIn(call)) : '*' },
    ],
    errorResponse: (error) => jsonError(error),
    async handle(call) {
      if (action(call) === 'GetAccountSettings') {
        return jsonResponse({
          AccountLimit: {
            ConcurrentExecutions: concurrentExecutions,
            UnreservedConcurrentExecutions: concurrentExecutions,
          },
        });
      }
      const name = nameIn(call);
      const arn = arnOf(call.region, name);
      const variables = environmentOf(name);
      if (!variables) throw new AwsError('ResourceNotFoundException', `Function not found: ${arn}`, 404);
      return jsonResponse({
        FunctionName: name,
        FunctionArn: arn,
        Environment: { Variables: variables },
      });
    },
  };
}
