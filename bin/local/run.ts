/** A local run: the cloud with its demo workspace, from its start until a signal. Loads most of the code. */
import { resolve } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';
import { Refused } from '../../clients/cli/src/terminal/exit.ts';
import { clockSkewKey } from '../../lib/adapters/clock.ts';
import {
  allAnomalies,
  CannotStart,
  type Cloud,
  defaultGuardRails,
  generousGuardRails,
  generousLimits,
  type LimitChanges,
  newAccountLimits,
  newSkew,
  startCloud,
  withLimits,
} from '../../lib/local/index.ts';
import { InvalidSettings } from '../../lib/settings.ts';
import { prepareDemo } from './demo.ts';
import { removeAddressFiles } from './folders.ts';
import { greeting } from './greeting.ts';
import { inboxPages } from './inbox.ts';
import type { LocalOptions } from './options.ts';
import type { Progress } from './progress.ts';
import { writeAddressFiles } from './write-address-files.ts';

/**
 * Returns when `signal` ends the run, with everything closed.
 *
 * @throws Refused; the reason of `signal` before the run is ready
 */
export async function run(options: LocalOptions, progress: Progress, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((done) => signal.addEventListener('abort', () => done()));
  signal.throwIfAborted();
  const cloud = await start(options, progress, signal);
  try {
    progress.stage('Preparing the demo workspace');
    await Promise.race([tell(cloud, options, progress, signal), stopped]);
    signal.throwIfAborted();
    await stopped;
  } finally {
    removeAddressFiles();
    await cloud.close();
  }
}

async function start(options: LocalOptions, progress: Progress, signal: AbortSignal): Promise<Cloud> {
  // What this thread makes, such as the session of the inbox, has the time of the run.
  const clockSkew = newSkew();
  setEnvironmentData(clockSkewKey, clockSkew);
  try {
    return await startCloud({
      ...cloudOptions(options),
      clockSkew,
      onStage: progress.stage,
      onNotice: progress.note,
      signal,
    });
  } catch (error) {
    if (error instanceof CannotStart || error instanceof InvalidSettings) throw new Refused(error.message);
    throw error;
  }
}

/** Prepares the demo workspace and says how to use it. */
async function tell(
  cloud: Cloud,
  { brand, dataFolder }: LocalOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const demo = await prepareDemo(cloud, dataFolder);
  cloud.openInbox(inboxPages(cloud, demo, brand));
  // Else the files would outlive the run.
  signal.throwIfAborted();
  writeAddressFiles(cloud, demo);
  progress.end();
  // Since the start of the process, imports included.
  const seconds = (performance.now() / 1000).toFixed(1);
  console.log(greeting(cloud, demo, { brand, seconds }));
}

function cloudOptions(options: LocalOptions) {
  const { ports, dataFolder, anomalies } = options;
  return {
    port: ports.port,
    smtpPort: ports['smtp-port'],
    dnsPort: ports['dns-port'],
    googlePort: ports['google-port'],
    microsoftPort: ports['microsoft-port'],
    brand: options.brand,
    strictWebhooks: options.strictWebhooks,
    publishesTestDomains: options.autoDns,
    limits: limitsOf(options),
    guardRails: options.newAccount ? defaultGuardRails : generousGuardRails,
    ...(anomalies !== null && { anomalies: { ...allAnomalies, seed: anomalies } }),
    ...(dataFolder !== null && { dataFolder: resolve(dataFolder) }),
    ...(options.verbose && {
      onLog: ({ source, text }: { source: string; text: string }) => console.log(`[${source}] ${text}`),
    }),
  };
}

/** The limits of the options: those of a new account, if wanted, then single ones. */
function limitsOf({ newAccount, sesRate, sesDailyQuota, lambdaConcurrency }: LocalOptions): LimitChanges {
  return withLimits(newAccount ? newAccountLimits : generousLimits, {
    ses: {
      ...(sesRate !== undefined && { sendsPerSecond: sesRate }),
      ...(sesDailyQuota !== undefined && { sendsPerDay: sesDailyQuota }),
    },
    lambda: { ...(lambdaConcurrency !== undefined && { concurrentExecutions: lambdaConcurrency }) },
  });
}
