/** The page of `npm run profile`. */
import { shown, table } from '../bench/figures.ts';
import { type Part, parts } from './parts.ts';

export interface FunctionTime {
  readonly name: string;
  readonly invocations: number;
  readonly calls: number;
  /** Of one invocation: lower quartile. */
  readonly cpuMs: number;
}

export interface ChainProfile {
  readonly title: string;
  /** Per email. */
  readonly functions: readonly FunctionTime[];
  /** Microseconds of all functions, of samples. */
  readonly times: ReadonlyMap<Part, number>;
}

/** Processor time of all functions for one email. */
export const targetMs = 15;

export function cpuOf({ functions }: ChainProfile): number {
  return functions.reduce((sum, { invocations, cpuMs }) => sum + invocations * cpuMs, 0);
}

export function pageOf(
  chains: readonly ChainProfile[],
  { at, emails, load }: { readonly at: Date; readonly emails: number; readonly load: number },
): string {
  return `# Processor time

Written by \`npm run profile\` on ${at.toISOString().slice(0, 10)}, at a load average of ${load} before it began. ${emails} emails of 5 KB, one after the other, in functions that
are warm; the target is ${targetMs} ms an email. *CPU* is that of the functions' threads, without the profiler: the lower quartile of the invocations. The parts are shares of the
samples of V8's profiler in a second run. Native code that no function called is left out, which is mostly the sockets; \`JSON.parse\` and other built-in functions
count as their callers.

${chains.map(section).join('\n')}`;
}

function section(chain: ChainProfile): string {
  const total = cpuOf(chain);
  const sampled = [...chain.times.values()].reduce((sum, time) => sum + time, 0);
  const byTime = parts.toSorted((a, b) => (chain.times.get(b) ?? 0) - (chain.times.get(a) ?? 0));
  return `## ${chain.title}

${shown(total)} ms an email.

${table(
  ['Function', 'Invocations', 'Calls', 'CPU ms', 'ms an email'],
  chain.functions.map(({ name, invocations, calls, cpuMs }) => [
    `\`${name}\``,
    shown(invocations),
    shown(calls),
    shown(cpuMs),
    shown(invocations * cpuMs),
  ]),
)}

${table(
  ['Part', 'Share, %', 'ms an email'],
  byTime.map((part) => {
    const share = (chain.times.get(part) ?? 0) / sampled;
    return [part, shown(100 * share), shown(share * total)];
  }),
)}
`;
}
