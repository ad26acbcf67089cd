/** Prepares the start of a local cloud: the cloud assembly and the table engine, side by side. */
import { join } from 'node:path';
import { providerEndpoints } from '../core/mailboxes/endpoints.ts';
import type { SettingsInput } from '../settings.ts';
import { assemblyFor } from './assembly.ts';
import { localAccount } from './aws/service.ts';
import { chooseTableEngine } from './aws/table-engine.ts';
import { type GuardRails, generousGuardRails, newAccountLimits } from './limits.ts';
import { demoClient } from './mailbox-providers/mailbox-providers.ts';
import type { Closers } from './services.ts';
import type { StartWatch } from './start-watch.ts';

export const providedDomain = 'mail.parley.test';
export const mailRegions = ['us-east-1', 'eu-central-1'] as const;
export const homeRegion = mailRegions[0];

/** Placeholder of the local DNS server in the templates; its port is not known at synthesis. */
export const dnsPlaceholder = 'dns.parley.test:53';

/** Placeholders of the emulated mailbox providers, likewise. */
export const providerPlaceholders = {
  google: 'http://google.parley.test',
  microsoft: 'http://microsoft.parley.test',
} as const;

const sharedAppSecretArn = (provider: keyof typeof providerEndpoints): string =>
  `arn:aws:secretsmanager:${homeRegion}:${localAccount}:secret:${provider}-app`;

/** The secrets of the OAuth apps that all workspaces share, by ARN: the client that the emulated providers know. */
export function sharedAppSecrets(): ReadonlyMap<string, string> {
  const { clientId: client_id, clientSecret: client_secret } = demoClient;
  const text = JSON.stringify({ client_id, client_secret });
  return new Map([
    [sharedAppSecretArn('google'), text],
    [sharedAppSecretArn('microsoft'), text],
  ]);
}

const cacheFolder = join(import.meta.dirname, '../../.local/assemblies');

interface SettingsOptions {
  readonly brand?: string | undefined;
  readonly strictWebhooks?: boolean | undefined;
  readonly tableName?: string | undefined;
  readonly spreadWorkspaces?: SettingsInput['spreadWorkspaces'];
  readonly standbyRegion?: string | undefined;
  readonly canaryMinutes?: number | undefined;
  readonly traceSampling?: number | undefined;
  readonly guardRails?: GuardRails | undefined;
}

/** The settings of a local cloud's deployment. @param lambdaConcurrency concurrent executions of the account */
export function localSettings(
  {
    brand = 'Parley',
    strictWebhooks,
    tableName,
    spreadWorkspaces = [],
    standbyRegion,
    canaryMinutes = 0,
    traceSampling,
    guardRails = generousGuardRails,
  }: SettingsOptions,
  lambdaConcurrency: number,
): SettingsInput {
  const { requestBudget, requestCeiling, recipientCaps, sesTenants } = guardRails;
  return {
    account: localAccount,
    brand,
    ...(tableName !== undefined && { tableName }),
    spreadWorkspaces,
    ...(traceSampling !== undefined && { traceSampling }),
    ...(standbyRegion !== undefined && { standbyRegion }),
    providedDomain,
    mailRegions: [...mailRegions],
    // The setting has the quota of a new account as its minimum.
    lambdaConcurrency: Math.max(newAccountLimits.lambda.concurrentExecutions, lambdaConcurrency),
    budgetUnitsPerSecond: requestBudget.unitsPerSecond,
    budgetCapacity: requestBudget.capacity,
    budgetInFlight: requestBudget.inFlight,
    requestCeiling,
    recipientsPerHour: recipientCaps.perHour,
    recipientsPerDay: recipientCaps.perDay,
    canaryMinutes,
    sesTenants,
    googleAppSecretArn: sharedAppSecretArn('google'),
    microsoftAppSecretArn: sharedAppSecretArn('microsoft'),
    local: {
      allowInsecureWebhooks: !strictWebhooks,
      dnsServers: [dnsPlaceholder],
      mailProviders: { google: everyUrl('google'), microsoft: everyUrl('microsoft') },
    },
  };
}

/**
 * Synthesises the app, which takes a second or two, and starts the table engine.
 *
 * @param options.dataFolder default: tables in memory
 * @param lambdaConcurrency concurrent executions of the account
 * @throws CannotStart, InvalidSettings; the reason of `signal`
 */
export async function prepare(
  options: StartWatch & SettingsOptions & { readonly dataFolder?: string | undefined },
  lambdaConcurrency: number,
  closers: Closers,
): Promise<{ assembly: string; tablesUrl: string }> {
  const { dataFolder, onStage, onNotice, signal } = options;
  const directory = dataFolder && join(dataFolder, 'tables');
  // What is missing is said before the synthesis.
  const tableEngine = chooseTableEngine({ directory, onNotice, signal });
  const starting = tableEngine.start();
  const assembling = assemblyFor(localSettings(options, lambdaConcurrency), {
    cacheFolder,
    onStage,
    signal,
  }).then((folder) => {
    onStage?.('Starting the table');
    return folder;
  });
  // Waits for both: a started engine must be closed when the synthesis fails.
  const [assembly, engine] = await Promise.allSettled([assembling, starting]);
  if (engine.status === 'fulfilled') closers.push(engine.value.close);
  if (assembly.status === 'rejected') throw assembly.reason;
  if (engine.status === 'rejected') throw engine.reason;
  signal?.throwIfAborted();
  return { assembly: assembly.value, tablesUrl: engine.value.url };
}

/** One emulator stands for all hosts of a provider. */
function everyUrl<P extends keyof typeof providerEndpoints>(provider: P) {
  return Object.fromEntries(
    Object.keys(providerEndpoints[provider]).map((host) => [host, providerPlaceholders[provider]]),
  );
}
