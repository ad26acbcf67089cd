/** The deployment that the operator's command line works on; its environment is read from the relay function. */
import { readFile } from 'node:fs/promises';
import { clientConfig } from './aws-clients.ts';

export interface Target {
  /** The local cloud instead of AWS. */
  readonly local: boolean;
  /** The setting `prefix` of the deployment. */
  readonly prefix: string | undefined;
  /** Its home region. */
  readonly region: string | undefined;
}

/** There is no such deployment; the message is a sentence for the operator. */
export class NoTarget extends Error {
  /** What to do, one sentence. */
  readonly hint: string;
  /** The region that was asked, where there is no deployment. */
  readonly region: string | undefined;

  constructor(message: string, hint: string, options: ErrorOptions & { readonly region?: string } = {}) {
    super(message, options);
    this.hint = hint;
    this.region = options.region;
  }
}

/** File in which the local cloud stores its environment. */
export const localEnvironmentFile = '.local/environment.json';

/**
 * Sets the environment of this process to that of the functions of the target. Call before the first use of `lib/env.ts`
 * or of an SDK client.
 *
 * @throws NoTarget, or the error of AWS that the call got
 */
export async function useTarget(target: Target): Promise<void> {
  const environment = target.local ? await localEnvironment() : await deployedEnvironment(target);
  Object.assign(process.env, environment);
}

async function localEnvironment(): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(localEnvironmentFile, 'utf8')) as Record<string, string>;
  } catch (cause) {
    throw new NoTarget(
      `No local run was found: ${localEnvironmentFile} is missing.`,
      'Start one with npm start, in this folder.',
      { cause },
    );
  }
}

async function deployedEnvironment(target: Target): Promise<Record<string, string>> {
  const region = target.region ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
  if (!region)
    throw new NoTarget('The home region is missing.', 'Give --region, or set AWS_REGION; or give --local.');
  const prefix = (target.prefix ?? 'parley').toLowerCase();
  // The local run needs none of it.
  const { GetFunctionConfigurationCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({ region, ...clientConfig() });
  // Every function has the whole environment, and every deployment has the relay.
  const name = `${prefix}-worker-relay`;
  try {
    const configuration = await client.send(new GetFunctionConfigurationCommand({ FunctionName: name }));
    return { ...configuration.Environment?.Variables, AWS_REGION: region };
  } catch (cause) {
    if ((cause as Error).name !== 'ResourceNotFoundException') throw cause;
    const hint = 'Check --region and --stack-prefix, and the account of the credentials.';
    throw new NoTarget(`There is no deployment "${prefix}" in ${region}.`, hint, { cause, region });
  }
}
