/** Processor time of a process and its descendants, by kind of thread, read from /proc (Linux). */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Seconds by kind of thread. */
export type ProcessorTimes = Readonly<Record<string, number>>;

interface ThreadSample {
  readonly kind: string;
  readonly seconds: number;
}

/** Threads that live for less than the interval are missed; kills and cold starts take longer. */
const intervalMs = 200;
/** Ticks per second of the times in /proc (proc_pid_stat(5), sysconf(_SC_CLK_TCK)). */
const ticksPerSecond = 100;

/** Kinds by thread name; threads of functions have the name of the function. */
const kinds: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^parley-/, 'function threads'],
  [/^V8Worker/, 'V8: garbage collection and compilation'],
  [/^WorkerThread/, 'tests, emulators and AWS gateway'],
  [/^esbuild/, 'esbuild'],
];

/** Samples until the process exits. Returns nothing where there is no /proc. */
export async function sampleProcessorTimes(child: ChildProcess): Promise<ProcessorTimes> {
  const samples = new Map<string, ThreadSample>();
  const { pid } = child;
  const timer =
    pid !== undefined && existsSync('/proc/self/task')
      ? setInterval(() => sample(pid, samples), intervalMs)
      : undefined;
  await once(child, 'exit');
  clearInterval(timer);
  const times: Record<string, number> = {};
  for (const { kind, seconds } of samples.values()) times[kind] = (times[kind] ?? 0) + seconds;
  return times;
}

function sample(root: number, samples: Map<string, ThreadSample>): void {
  const processes = readProcesses();
  for (const [pid, { name }] of processes) {
    if (!descendsFrom(root, pid, processes)) continue;
    for (const thread of entriesOf(`/proc/${pid}/task`)) {
      const stat = readStat(`/proc/${pid}/task/${thread}/stat`);
      if (!stat) continue;
      const kind =
        name === 'java' || name === 'dynoxide'
          ? 'table engine'
          : (kinds.find(([pattern]) => pattern.test(stat.name))?.[1] ?? 'Vitest and other');
      samples.set(`${pid}/${thread}`, { kind, seconds: stat.seconds });
    }
  }
}

interface Stat {
  readonly name: string;
  readonly parent: number;
  readonly seconds: number;
}

function readProcesses(): Map<number, Stat> {
  const found = entriesOf('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => [Number(entry), readStat(`/proc/${entry}/stat`)] as const);
  return new Map(found.flatMap(([pid, stat]) => (stat ? [[pid, stat] as const] : [])));
}

function descendsFrom(root: number, pid: number, processes: ReadonlyMap<number, Stat>): boolean {
  for (let one: number | undefined = pid; one; one = processes.get(one)?.parent)
    if (one === root) return true;
  return false;
}

/** Null where the process or thread has ended. */
function readStat(path: string): Stat | null {
  try {
    const text = readFileSync(path, 'utf8');
    // The name is in parentheses and may hold any character (proc_pid_stat(5)).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
      parent: Number(fields[1]),
      seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    };
  } catch {
    return null;
  }
}

/** Empty where the process has ended. */
function entriesOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
