/** The section of `bench/hostile.md` on API requests. */

import { table } from '../bench/figures.ts';
import type { ApiBatchResult } from './api-run.ts';
import type { Worst } from './invocations.ts';

export interface ApiFigures {
  readonly command: string;
  readonly seconds: number;
  readonly results: readonly ApiBatchResult[];
  readonly failures: readonly string[];
  readonly worst: ReadonlyMap<string, Worst>;
}

const kinds = ['valid', 'nearly valid', 'wild'] as const;
const failuresMax = 50;

export function renderApi({ command, seconds, results, failures, worst }: ApiFigures): string {
  const outcomes = results.flatMap((one) => one.outcomes);
  const statuses = [...new Set(outcomes.map(({ status }) => status))].toSorted((a, b) => a - b);
  const count = (kind: string, status: number) =>
    outcomes.filter((one) => one.kind === kind && one.status === status).length;
  const succeeded = new Set(
    outcomes.filter(({ status }) => status < 400).flatMap(({ operation }) => operation ?? []),
  );
  const slowest = outcomes.toSorted((a, b) => b.ms - a.ms)[0];
  const hungriest = [...worst].toSorted(([, a], [, b]) => b.cpuMs - a.cpuMs)[0];
  return [
    `\`${command}\`: ${outcomes.length} requests to ${results.length} pairs of workspaces, ${Math.round(seconds)} s, **${failures.length} failures**. Every response was checked: 5xx, \`docs/openapi\`, headers, ids of the other workspace.`,
    `${succeeded.size} operations had successes. Slowest: ${slowest?.ms.toFixed(0)} ms, \`${slowest?.operation}\`. Most processor time: ${hungriest?.[1].cpuMs.toFixed(0)} ms, \`${hungriest?.[0]}\`.`,
    table(
      ['Status', ...kinds],
      statuses.map((status) => [status, ...kinds.map((kind) => count(kind, status))]),
    ),
    ...(failures.length === 0
      ? []
      : [
          table(
            ['Failed'],
            failures.slice(0, failuresMax).map((what) => [what.slice(0, 200).replace(/\s+/g, ' ')]),
          ),
        ]),
  ].join('\n\n');
}
