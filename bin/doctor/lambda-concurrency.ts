/** Whether the account has enough concurrent executions of Lambda in the home region. */
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import { type Check, failure, ok } from './check.ts';

/** The default of an account ("Lambda quotas"); new ones have 10, which the workers alone use up. */
const concurrencyMin = 1000;

export const lambdaConcurrency: Check = {
  title: 'Lambda concurrency',
  needs: 'account',
  async examine({ homeRegion }) {
    const client = new LambdaClient({ region: homeRegion, ...clientConfig() });
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    client.destroy();
    const limit = AccountLimit?.ConcurrentExecutions ?? 0;
    const found = `Lambda in ${homeRegion} runs at most ${limit} functions at the same time.`;
    if (limit >= concurrencyMin) return [ok(found)];
    return [
      failure(found, `Request ${concurrencyMin} "Concurrent executions" of AWS Lambda in Service Quotas.`),
    ];
  },
};
