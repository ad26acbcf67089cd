/**
 * Measures `person erase` at one size in a local cloud: counted, killed at half, continued, repeated, and what the workers remove
 * afterwards.
 */

import type { WorkspaceId } from '../../lib/core/ids.ts';
import { type Cloud, newSkew, startCloud } from '../../lib/local/index.ts';
import { createWorkspace } from '../../lib/services/workspaces/workspaces.ts';
import { emails as emailsOf } from '../../lib/storage/table/keys.ts';
import { localNames } from '../bench/stage.ts';
import { copyTable } from '../restore/table-copy.ts';
import { patiently, queued } from '../run-cloud.ts';
import { fill, mailOf, person } from './fill.ts';
import { type CommandRun, meter, runCommand, type Use } from './run-command.ts';

export interface Measured {
  readonly emails: number;
  readonly dryRun: CommandRun;
  /** Killed when it had read half of the emails. */
  readonly killed: CommandRun;
  /** The run after it, to the end. */
  readonly continued: CommandRun;
  /** A run after the last one. */
  readonly repeated: CommandRun;
  /** What the workers remove; null: not measured. */
  readonly removal: Removal | null;
}

export interface Removal {
  readonly seconds: number;
  readonly invocations: number;
  readonly use: Use;
  /** Items that name the person in the end. */
  readonly left: number;
  /** Emails of others in the end. */
  readonly others: number;
  readonly deadLetters: number;
}

export interface MeasureOptions {
  readonly emails: number;
  /** Whether units are counted: each call costs the emulator a few. */
  readonly isMetered: boolean;
  /** Whether the workers remove what is hidden. */
  readonly removes: boolean;
}

/** @param progress takes lines for people */
export async function measure(
  { emails, isMetered, removes }: MeasureOptions,
  progress: (line: string) => void,
): Promise<Measured> {
  const cloud = await startCloud({ clockSkew: newSkew() });
  Object.assign(process.env, cloud.environment);
  try {
    const { id, slug } = await createWorkspace({ slug: 'erase', name: 'Erase' });
    await fill(cloud, id, mailOf(emails), (stored) => progress(`${stored} emails stored`));
    await patiently(cloud.settle);
    // The command alone, then the workers alone.
    for (const name of workers) cloud.throttle(name, true);
    cloud.gateway.recorder.metering = isMetered;
    const run = async (what: string, options: { isDryRun: boolean; killedAt?: string }) => {
      const outcome = await runCommand(cloud, { slug, ...options });
      progress(`${what}: ${JSON.stringify(outcome)}`);
      return outcome;
    };
    const dryRun = await run('dry run', { isDryRun: true });
    const half = Math.max(1000, Math.floor(emails / 2000) * 1000);
    const killed = await run('killed', { isDryRun: false, killedAt: `emails: ${half} read` });
    const continued = await run('continued', { isDryRun: false });
    const repeated = await run('repeated', { isDryRun: false });
    const removal = removes ? await remove(cloud, id) : null;
    progress(`removal: ${JSON.stringify(removal)}`);
    return { emails, dryRun, killed, continued, repeated, removal };
  } finally {
    await cloud.close();
  }
}

const runTask = localNames.workerFunction('run-task');
const workers = [localNames.workerFunction('relay'), runTask];

/** Lets the workers remove what is hidden, in both passes. */
async function remove(cloud: Cloud, workspaceId: WorkspaceId): Promise<Removal> {
  let invocations = 0;
  cloud.onInvocation(({ name }) => {
    if (name === runTask) invocations += 1;
  });
  const used = meter(cloud, ({ principal }) => principal.startsWith(runTask));
  const startedAt = performance.now();
  for (const name of workers) cloud.throttle(name, false);
  for (let pass = 0; pass < 3; pass++) {
    await patiently(cloud.settle);
    await patiently(() => cloud.clock.advance(901_000));
  }
  await patiently(cloud.settle);
  const seconds = (performance.now() - startedAt) / 1000;
  const use = used();
  const items = await copyTable(cloud.dynamoDb, 'parley');
  const left = items.filter((item) => JSON.stringify(item).includes(person)).length;
  const others = items.filter(({ pk }) => emailsOf(workspaceId).includes(pk?.S ?? '')).length;
  return { seconds, invocations, use, left, others, deadLetters: queued(cloud).dead };
}
