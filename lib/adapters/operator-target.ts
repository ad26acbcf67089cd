/** Which deployment the operator's command line works on: its environment is taken from the deployment itself. */
import { readFile } from 'node:fs/promises';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';

export interface Target {
  /** The local run instead of AWS. */
  readonly local: boolean;
  /** The deployment's name prefix. */
  readonly prefix: string | undefined;
  /** Its home region. */
  readonly region: string | undefined;
}

/** There is no such deployment, or none that can be seen from here; the message is for the operator. */
export class NoTarget extends Error {}

/** Where the local run keeps the environment that reaches it. */
export const localEnvironmentFile = '.local/environment.json';

/**
 * Sets this process's environment to the target's, as its functions have it, so that `lib/env.ts` and the SDK
 * find everything there. Call before the first look into the table.
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
  const client = new LambdaClient({ region });
  // Every function has the whole environment; the relay is in every deployment.
  const name = `${prefix}-worker-relay`;
  try {
    const configuration = await client.send(new GetFunctionConfigurationCommand({ FunctionName: name }));
    return { ...configuration.Environment?.Variables, AWS_REGION: region };
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new NoTarget(`no deployment "${prefix}" could be read in ${region}: ${reason}`, { cause });
  }
}
