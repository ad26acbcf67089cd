/** Runs `person erase` on a local cloud, to its end or until it is killed, and meters it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Cloud, RecordedCall } from '../../lib/local/index.ts';
import { person } from './fill.ts';

/** What the command prints with `--json`. */
export type Report = Readonly<Record<string, number | string | boolean | null | readonly string[]>>;

/** What a run of the command took. */
export interface CommandRun {
  /** null: it was killed. */
  readonly report: Report | null;
  readonly seconds: number;
  readonly megabytes: number;
  readonly progressLines: number;
  readonly use: Use;
}

/** Calls and units of the table; units are 0 where they are not metered. */
export interface Use {
  readonly tableCalls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Items of the largest transaction. */
  readonly largestTransaction: number;
  /** Calls of the buckets that cost as a GET does, as a PUT does, or nothing. */
  readonly gets: number;
  readonly lists: number;
  readonly deletes: number;
}

const reads: ReadonlySet<string> = new Set(['GetItem', 'Query', 'BatchGetItem', 'TransactGetItems']);

/** Meters the calls that pass `isMeant` until it is told to stop. */
export function meter(
  { gateway: { recorder } }: Pick<Cloud, 'gateway'>,
  isMeant: (call: RecordedCall) => boolean,
): () => Use {
  const sums = { tableCalls: 0, readUnits: 0, writeUnits: 0, gets: 0, lists: 0, deletes: 0 };
  let largestTransaction = 0;
  const stop = recorder.subscribe((call) => {
    if (!isMeant(call)) return;
    const { service, action, capacity = 0, keys = [] } = call;
    if (service === 's3') sums[bucketCalls[action] ?? 'gets'] += 1;
    if (service !== 'dynamodb') return;
    sums.tableCalls += 1;
    sums[reads.has(action) ? 'readUnits' : 'writeUnits'] += capacity;
    if (action === 'TransactWriteItems') largestTransaction = Math.max(largestTransaction, keys.length);
  });
  return () => {
    stop();
    return { ...sums, largestTransaction };
  };
}

const bucketCalls: Readonly<Record<string, 'lists' | 'deletes'>> = {
  ListObjectsV2: 'lists',
  ListObjects: 'lists',
  DeleteObject: 'deletes',
  DeleteObjects: 'deletes',
};

export interface CommandOptions {
  readonly slug: string;
  readonly isDryRun: boolean;
  /** Of the emails it has read, a line of progress after which the command is killed. */
  readonly killedAt?: string;
}

/** Runs the command. Nobody else may call as the administrator meanwhile. */
export async function runCommand(
  cloud: Cloud,
  { slug, isDryRun, killedAt }: CommandOptions,
): Promise<CommandRun> {
  const admin = cloud.environment.AWS_ACCESS_KEY_ID;
  const used = meter(cloud, ({ principal }) => principal === admin);
  const startedAt = performance.now();
  const confirm = isDryRun ? ['--dry-run'] : ['--confirm', person];
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'command.ts'),
      ...['person', 'erase', '--workspace', slug, '--address', person, ...confirm, '--json'],
    ],
    { env: { ...process.env, ...cloud.environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [out, errors, progressLines, megabytes] = ['', '', 0, 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  createInterface({ input: child.stderr }).on('line', (line) => {
    const peak = /^peak (\d+)$/.exec(line)?.[1];
    if (peak) megabytes = Number(peak) / 2 ** 20;
    else if (/: \d+ read$/.test(line)) progressLines += 1;
    else errors += `${line}\n`;
    if (line === killedAt) child.kill('SIGKILL');
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const seconds = (performance.now() - startedAt) / 1000;
  const use = used();
  if (code !== 0 && killedAt === undefined) throw new Error(`person erase ended with ${code}: ${errors}`);
  const report = code === 0 ? (JSON.parse(out) as Report) : null;
  return { report, seconds, megabytes, progressLines, use };
}
