/** The section of `bench/hostile.md` on mail. */

import { table } from '../bench/figures.ts';
import type { Worst } from './invocations.ts';
import type { MailBatchResult, MailFailure } from './mail-run.ts';

export interface MailFigures {
  readonly command: string;
  readonly seconds: number;
  readonly results: readonly MailBatchResult[];
  readonly failures: readonly MailFailure[];
  /** Webhooks received. */
  readonly events: number;
  readonly worst: ReadonlyMap<string, Worst>;
}

export function renderMail({ command, seconds, results, failures, events, worst }: MailFigures): string {
  const outcomes = results.flatMap((one) => one.outcomes);
  const reads = results.map(({ read }) => read);
  const slowest = reads.map((read) => read.slowest).toSorted((a, b) => b.ms - a.ms)[0];
  const largest = reads.map((read) => read.largest).toSorted((a, b) => b.bytes - a.bytes)[0];
  const emails = reads.flatMap((read) => read.emails).length;
  const requests = reads.reduce((sum, read) => sum + read.requests, 0);
  const octets = outcomes.reduce((sum, one) => sum + one.octets, 0);
  return [
    `\`${command}\`: ${outcomes.length} messages (${megabytes(octets)}) in ${results.length} workspaces, ${Math.round(seconds)} s, **${failures.length} failures**.`,
    `Read back: ${emails} emails in ${requests} requests; ${events} webhooks. Slowest: ${slowest?.ms.toFixed(0)} ms, \`${nameless(slowest?.what)}\`. Largest: ${megabytes(largest?.bytes ?? 0)}, \`${nameless(largest?.what)}\`.`,
    table(['Message', 'Count'], [...countOf(outcomes.map(({ fate }) => fate))]),
    table(
      ['Kind', 'Messages'],
      [...countOf(outcomes.map(({ kind }) => kind.replace(/^one field: .*/, '4 MB in one field')))],
    ),
    table(
      ['Function', 'Invocations', 'Slowest (ms)', 'Most processor time (ms)', 'Most memory (MB)'],
      [...worst]
        .toSorted(([, a], [, b]) => b.cpuMs - a.cpuMs)
        .slice(0, functionsMax)
        .map(([name, one]) => [
          `\`${name}\``,
          one.invocations,
          one.ms.toFixed(0),
          one.cpuMs.toFixed(0),
          one.memoryMb.toFixed(0),
        ]),
    ),
    ...(failures.length === 0 ? [] : [table(['Failed', 'What'], failures.slice(0, failuresMax).map(rowOf))]),
  ].join('\n\n');
}

const functionsMax = 12;
const failuresMax = 50;

function rowOf({ number, kind, what }: MailFailure): [string, string] {
  return [number === null ? kind : `case ${number}, ${kind}`, what.slice(0, 200).replace(/\s+/g, ' ')];
}

/** A request without the ids of this run. */
function nameless(what = ''): string {
  return what.replace(/_[0-9a-f]{32}/g, '_…');
}

function megabytes(octets: number): string {
  return `${(octets / 2 ** 20).toFixed(1)} MB`;
}

function countOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values.toSorted()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
