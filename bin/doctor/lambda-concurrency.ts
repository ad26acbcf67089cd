/** Whether the account has enough concurrent executions of Lambda in the home region. */
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import { type Check, type Finding, failure, ok, warning } from './check.ts';

/** The default of an account ("Lambda quotas"); new ones have 10, which the workers alone use up. */
const concurrencyMin = 1000;

export const lambdaConcurrency: Check = {
  title: 'Lambda concurrency',
  needs: 'account',
  async examine({ homeRegion, deployment }) {
    const client = new LambdaClient({ region: homeRegion, ...clientConfig() });
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    client.destroy();
    const limit = AccountLimit?.ConcurrentExecutions ?? 0;
    return concurrencyFindings(homeRegion, limit, deployment?.lambdaConcurrency ?? null);
  },
};

/**
 * @param limit concurrent executions of the account
 * @param set the deployment's setting `lambdaConcurrency`; null before the deployment
 */
export function concurrencyFindings(region: string, limit: number, set: number | null): Finding[] {
  return [quota(region, limit), ...(set === null ? [] : [setting(set, limit)])];
}

function quota(region: string, limit: number): Finding {
  const found = `Lambda in ${region} runs at most ${limit} functions at the same time.`;
  if (limit >= concurrencyMin) return ok(found);
  return failure(found, `Request ${concurrencyMin} "Concurrent executions" of AWS Lambda in Service Quotas.`);
}

/** The workers take half of the setting; the API has what is left of the quota. */
function setting(set: number, limit: number): Finding {
  const found = `The setting lambdaConcurrency is ${set}.`;
  const todo = `Deploy again with -c lambdaConcurrency=${limit}`;
  if (set === limit) return ok(found);
  return set > limit
    ? failure(
        `${found} A backlog may take more than half of the account's executions from the API.`,
        `${todo}.`,
      )
    : warning(`${found} The account has more.`, `${todo}, so that the workers use half of it.`);
}
