/** Whether Lambda stops every function of the deployment in a recursive loop, as the templates leave it. */
import {
  GetFunctionRecursionConfigCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { operations } from '../../functions/operations.ts';
import { publicFunctions } from '../../functions/public.ts';
import { canaryWorker } from '../../functions/workers/canary.contract.ts';
import { workers } from '../../functions/workers.ts';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import { allDone } from '../../lib/core/work/all-done.ts';
import { type Check, deploymentOf, type Finding, failure, ok } from './check.ts';

/** Calls at the same time: Lambda takes 100 reads a second ("Lambda quotas"). */
const atOnce = 10;

export const recursiveLoops: Check = {
  title: 'Recursive loops',
  needs: 'deployment',
  async examine(examined) {
    const { names } = deploymentOf(examined);
    const functions = [
      ...[...operations, ...publicFunctions].map(({ id }) => names.apiFunction(id)),
      ...workers.map(({ id }) => names.workerFunction(id)),
    ];
    const client = new LambdaClient({ region: examined.homeRegion, ...clientConfig() });
    const canary = names.workerFunction(canaryWorker.id);
    const settings: Setting[] = [];
    for (let at = 0; at < functions.length; at += atOnce) {
      const some = functions.slice(at, at + atOnce);
      settings.push(...(await allDone(some.map((name) => settingOf(client, name, name === canary)))).flat());
    }
    client.destroy();
    const allowing = settings.filter(({ isAllowed }) => isAllowed).map(({ name }) => name);
    return [finding(settings.length, allowing)];
  },
};

interface Setting {
  readonly name: string;
  readonly isAllowed: boolean;
}

/** @param mayBeAbsent not every deployment has it @returns none for a function that is absent */
async function settingOf(client: LambdaClient, name: string, mayBeAbsent: boolean): Promise<Setting[]> {
  try {
    const { RecursiveLoop } = await client.send(
      new GetFunctionRecursionConfigCommand({ FunctionName: name }),
    );
    return [{ name, isAllowed: RecursiveLoop === 'Allow' }];
  } catch (error) {
    if (mayBeAbsent && error instanceof ResourceNotFoundException) return [];
    throw error;
  }
}

function finding(count: number, allowing: readonly string[]): Finding {
  if (allowing.length === 0) return ok(`Lambda stops recursive loops of each of the ${count} functions.`);
  const command = allowing.map(
    (name) => `aws lambda put-function-recursion-config --function-name ${name} --recursive-loop Terminate`,
  );
  return failure(
    `Lambda allows recursive loops of ${allowing.join(', ')}, unlike the templates: a fault could run, and cost, without an end.`,
    `Run ${command.join('; ')}.`,
  );
}
