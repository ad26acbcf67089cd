/** Creates the stacks of a deployment and passes references between them. */
import { type App, Aws, type Environment, type Stack, Tags } from 'aws-cdk-lib';
import { operations } from '../../functions/operations.ts';
import { publicFunctions } from '../../functions/public.ts';
import { canaryWorker } from '../../functions/workers/canary.contract.ts';
import { workers } from '../../functions/workers.ts';
import { limitRoles } from '../constructs/boundary.ts';
import { omitRoleDependencies } from '../constructs/dependencies.ts';
import { functionEnvironment, sharedAppsOf } from '../constructs/environment.ts';
import { type Names, namesOf } from '../constructs/names.ts';
import { addTraces } from '../constructs/traces.ts';
import type { WorkerContract } from '../core/work/worker.ts';
import type { Settings } from '../settings.ts';
import { acknowledgeFindings } from './acknowledgements.ts';
import { ApiStack } from './api.ts';
import { DataStack } from './data.ts';
import { MailStack } from './mail.ts';
import { OperationsStack } from './operations.ts';
import type { Stacks } from './stacks.ts';
import { StandbyStack } from './standby.ts';
import { WorkersStack } from './workers.ts';

/** Folders of code that is deployed. */
export interface CodeFolders {
  readonly functions: string;
  readonly site: string;
  readonly console: string;
}

/**
 * Adds every stack of a deployment to `app`.
 *
 * @param code folders of the function bundle (`bundleFunctions`), of the documentation site (`siteFolder`) and of the console
 *   (`consoleFolders`)
 */
export function addStacks(app: App, settings: Settings, code: CodeFolders): Stacks {
  const { homeRegion: region, mailRegions, prefix } = settings;
  const names = synthesizedNames(settings);
  const home = environmentOf(settings, region);
  const workers = workersOf(settings);

  const data = addData(app, settings);
  const shared = {
    targets: {
      names,
      mailRegions,
      secretsKeyArn: data.secretsKeyArn,
      sharedAppSecretArns: Object.values(sharedAppsOf(settings)).filter(Boolean),
    },
    environment: functionEnvironment(settings, names, data.secretsKeyArn),
    code: code.functions,
  };
  const workersStack = new WorkersStack(app, `${prefix}-Workers`, {
    ...shared,
    env: home,
    description: `${settings.brand}: queues, workers and outbox relay`,
    workers,
    lambdaConcurrency: settings.lambdaConcurrency,
    tableStreamArn: data.tableStreamArn,
    ...(settings.standbyOf && { standby: { works: settings.takeOver } }),
  });
  const mail = mailRegions.map((mailRegion) => {
    const stack = addMailStack(app, settings, mailRegion);
    // The topics subscribe queues of the workers stack, which must exist.
    stack.addStackDependency(workersStack);
    return stack;
  });
  const api = new ApiStack(app, `${prefix}-Api`, {
    ...shared,
    environment: { ...shared.environment, LIVE_URL: workersStack.live.url },
    env: home,
    description: `${settings.brand}: HTTP API, one function per operation`,
    title: settings.brand,
    settings,
    region,
    ownCode: code,
    operations,
    publicFunctions,
    workers,
  });
  api.addStackDependency(data.stack);
  api.addStackDependency(workersStack);
  if (settings.standbyRegion || settings.standbyOf) {
    workersStack.addStackDependency(data.stack);
    for (const stack of [workersStack, api]) limitRoles(stack, names);
  }
  const operationsStack = new OperationsStack(app, `${prefix}-Operations`, {
    env: home,
    description: `${settings.brand}: alarms and dashboard`,
    names,
    settings,
    apiId: api.apiId,
    relayId: relayId(),
    periodicIds: workers.flatMap(({ id, trigger }) => (trigger.kind === 'every' ? [id] : [])),
  });
  addTraces(operationsStack, settings, shared);
  operationsStack.addStackDependency(workersStack);

  tagResources(app, prefix);
  const stacks = { workers: workersStack, mail, api, operations: operationsStack };
  acknowledgeFindings(stacks, settings);
  omitRoleDependencies(app);
  return stacks;
}

function tagResources(app: App, prefix: string): void {
  Tags.of(app).add('service', prefix.toLowerCase(), {
    // The published CloudFormation schemas do not list tags for dashboards yet.
    excludeResourceTypes: ['AWS::CloudWatch::Dashboard'],
  });
}

/** The stack of the data, with the ARNs that AWS has made; a standby has them from its settings. */
function addData(
  app: App,
  settings: Settings,
): { readonly stack: Stack; readonly secretsKeyArn: string; readonly tableStreamArn: string } {
  const { prefix, homeRegion, standbyRegion, tableStreamArn, backupDays } = settings;
  const names = synthesizedNames(settings);
  if (settings.standbyOf) {
    return {
      stack: addStandby(app, settings, homeRegion),
      secretsKeyArn: settings.secretsKeyArn,
      tableStreamArn,
    };
  }
  const standby = standbyRegion && addStandby(app, settings, standbyRegion);
  const data = new DataStack(app, `${prefix}-Data`, {
    env: environmentOf(settings, homeRegion),
    description: `${settings.brand}: table, content bucket and secrets key`,
    names,
    backupDays,
    emailsPerSecond: settings.prewarmEmailsPerSecond,
    ...(standby && { standby: synthesizedNames({ ...settings, homeRegion: standbyRegion }) }),
  });
  // Objects are copied to its bucket, which must exist.
  if (standby) data.addStackDependency(standby);
  return {
    stack: data,
    secretsKeyArn: data.secretsKeyArn,
    tableStreamArn: tableStreamArn || data.tableStreamArn,
  };
}

function addStandby(app: App, settings: Settings, region: string): Stack {
  return new StandbyStack(app, `${settings.prefix}-Standby`, {
    env: environmentOf(settings, region),
    description: `${settings.brand}: copies of the files, for a standby`,
    names: synthesizedNames({ ...settings, homeRegion: region }),
    backupDays: settings.backupDays,
  });
}

/** The workers that are deployed: the canary mails itself at the provided domain. */
function workersOf({ canaryMinutes: minutes, providedDomain }: Settings): readonly WorkerContract[] {
  const others = workers.filter(({ id }) => id !== canaryWorker.id);
  if (minutes === 0 || providedDomain === '') return others;
  return [...others, { ...canaryWorker, trigger: { kind: 'every', minutes, isToldApi: true } }];
}

function relayId(): string {
  const relay = workers.find(({ trigger }) => trigger.kind === 'outbox');
  if (!relay) throw new Error('no worker has the outbox trigger');
  return relay.id;
}

function addMailStack(app: App, settings: Settings, region: string): MailStack {
  return new MailStack(app, `${settings.prefix}-Mail-${region}`, {
    env: environmentOf(settings, region),
    description: `${settings.brand}: sending and receiving in ${region}`,
    names: synthesizedNames(settings),
    settings,
    region,
  });
}

/** CloudFormation fills in an account that is not known at synthesis. */
function synthesizedNames(settings: Settings): Names {
  return namesOf({ ...settings, account: settings.account || Aws.ACCOUNT_ID });
}

function environmentOf({ account }: Settings, region: string): Environment {
  return { region, ...(account && { account }) };
}
