/** The options of admin, doctor and smoke that name the deployment, and the form of the output. */
import type { OptionSpecs, ValuesOf } from '../../clients/cli/src/terminal/command.ts';
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import type { Target } from '../../lib/adapters/operator-target.ts';

/** Options of every command. */
export const deploymentOptions = {
  region: { type: 'string', describe: 'home region of the deployment; else AWS_REGION' },
  'stack-prefix': { type: 'string', describe: "the deployment's prefix, when it is not the default" },
  local: { type: 'boolean', describe: 'the local run that npm start keeps up' },
  json: { type: 'boolean', describe: 'print JSON: one object, or one array for a list' },
} as const satisfies OptionSpecs;

type DeploymentValues = ValuesOf<typeof deploymentOptions>;

/** @throws UsageError */
export function targetOf({ region, local, 'stack-prefix': prefix }: DeploymentValues): Target {
  if (local && (region ?? prefix) !== undefined) {
    throw new UsageError('--local is the local run: it has neither --region nor --stack-prefix.');
  }
  if (region !== undefined && !isRegion(region)) {
    throw new UsageError('--region is the name of an AWS region, such as us-east-1.');
  }
  if (prefix !== undefined && !/^[A-Za-z][A-Za-z0-9]{0,15}$/.test(prefix)) {
    throw new UsageError('--stack-prefix is a letter followed by up to 15 letters or digits.');
  }
  return { local: local === true, prefix, region };
}

export const isRegion = (name: string): boolean => /^[a-z]{2}(-[a-z]{2,10}){1,3}-\d{1,2}$/.test(name);
