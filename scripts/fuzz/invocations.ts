/** The invocations of a run: what each function took at most, and those over their time or memory. */
import type { Observed } from '../bench/observe.ts';

export interface Worst {
  readonly invocations: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly memoryMb: number;
}

export interface OverLimit {
  /** SES's id of the message that a `receive-mail` invocation read; null for other functions. */
  readonly sesId: string | null;
  readonly what: string;
}

export interface InvocationTally {
  readonly worst: ReadonlyMap<string, Worst>;
  /** Adds invocations; returns those over a limit. */
  add(observed: ReadonlyMap<string, readonly Observed[]>): OverLimit[];
}

/** A processor of Lambda is slower than this machine's, and shared: an invocation may use this share of its timeout. */
const timeShareMax = 0.25;

/** Error types of Lambda for an invocation that was ended, not of the handler. */
const endings: readonly string[] = ['Sandbox.Timedout', 'Runtime.ExitError'];

export function newInvocationTally(): InvocationTally {
  const worst = new Map<string, Worst>();
  return {
    worst,
    add(observed) {
      const over: OverLimit[] = [];
      for (const [name, invocations] of observed) {
        for (const one of invocations) {
          worst.set(name, worse(worst.get(name), one));
          const what = excessOf(one);
          if (what) over.push({ sesId: sesIdOf(one), what: `${name}: ${what}` });
        }
      }
      return over;
    },
  };
}

const mebibyte = 2 ** 20;

function worse(known: Worst | undefined, { ms, cpuMs, memoryBytes }: Observed): Worst {
  return {
    invocations: (known?.invocations ?? 0) + 1,
    ms: Math.max(known?.ms ?? 0, ms),
    cpuMs: Math.max(known?.cpuMs ?? 0, cpuMs ?? 0),
    memoryMb: Math.max(known?.memoryMb ?? 0, (memoryBytes ?? 0) / mebibyte),
  };
}

function excessOf({ errorType, cpuMs, memoryBytes, timeoutSeconds, memoryMb }: Observed): string | null {
  // An error of the handler shows as a 5xx or in a queue.
  if (errorType !== null && endings.includes(errorType)) return `ended with ${errorType}`;
  const seconds = (cpuMs ?? 0) / 1000;
  if (seconds > timeoutSeconds * timeShareMax) {
    return `${seconds.toFixed(1)} s of processor time, with a timeout of ${timeoutSeconds} s`;
  }
  const megabytes = (memoryBytes ?? 0) / mebibyte;
  return megabytes > memoryMb ? `${megabytes.toFixed(0)} MB of ${memoryMb} MB` : null;
}

/** From the object that the invocation read: its key ends with SES's id. */
function sesIdOf({ calls }: Observed): string | null {
  const read = calls.find(({ service, action }) => service === 's3' && action === 'GetObject');
  return /\/([a-z0-9]{40})$/.exec(read?.resource ?? '')?.[1] ?? null;
}
