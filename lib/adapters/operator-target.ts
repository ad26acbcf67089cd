/** The deployment that the operator's command line works on; its environment is read from the relay function. */
import { readFile } from 'node:fs/promises';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { clientConfig } from './aws-clients.ts';

export interface Target {
  /** The local cloud instead of AWS. */
  readonly local: boolean;
  /** The setting `prefix` of the deployment. */
  readonly prefix: string | undefined;
  /** Its home region. */
  readonly region: string | undefined;
}

/** The deployment does not exist or cannot be read; the message is for the operator. */
export class NoTarget extends Error {}

/** File in which the local cloud stores its environment. */
export const localEnvironmentFile = '.local/environment.json';

/**
 * Sets the environment of this process to that of the functions of the target. Call before the first use of `lib/env.ts`
 * or of an SDK client.
 *
 * @throws NoTarget
 */
export async function useTarget(target: Target): Promise<void> {
  const environment = target.local ? await localEnvironment() : await deployedEnvironment(target);
  Object.assign(process.env, environment);
}

async function localEnvironment(): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(localEnvironmentFile, 'utf8')) as Record<string, string>;
  } catch (cause) {
    throw new NoTarget(`no local run found (${localEnvironmentFile} is missing): start one with npm start`, {
      cause,
    });
  }
}

async function deployedEnvironment(target: Target): Promise<Record<string, string>> {
  const region = target.region ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
  if (!region) throw new NoTarget('the home region is missing: give --region, or set AWS_REGION');
  const prefix = (target.prefix ?? 'parley').toLowerCase();
  const client = new LambdaClient({ region, ...clientConfig() });
  // Every function has the whole environment, and every deployment has the relay.
  const name = `${prefix}-worker-relay`;
  try {
    const configuration = await client.send(new GetFunctionConfigurationCommand({ FunctionName: name }));
    return { ...configuration.Environment?.Variables, AWS_REGION: region };
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new NoTarget(`no deployment "${prefix}" could be read in ${region}: ${reason}`, { cause });
  }
}
