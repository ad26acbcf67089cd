/** `npm run simulate:webhooks`: an hour of webhook dispatch on virtual time, beside dead endpoints; writes bench/webhooks.md. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { busy, dead, failing, healthy } from './webhooks/scenarios.ts';
import { type GroupResult, type SimulationResult, simulate } from './webhooks/simulate.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const durationMs = Number(values.minutes) * 60_000;
const seed = Number(values.seed);
const load = { endpoints: 50, eventsPerSecond: 10 };
const outage = { endpoints: 200, eventsPerSecond: 100 };
const less = { endpoints: 50, eventsPerSecond: 2 };
const much = { endpoints: 1, eventsPerSecond: 1000 };

/** Where every minute is like the others, some are enough. */
const shortMs = (minutes: number) => Math.min(durationMs, minutes * 60_000);
const half = durationMs / 2;
const runs = [
  ['alone', shortMs(10), [healthy(load)]],
  ['beside 200 dead endpoints', durationMs, [healthy(load), dead(outage)]],
  [
    'beside 50 that fail for five minutes',
    durationMs,
    [healthy(load), failing(less, half, half + 5 * 60_000)],
  ],
  ['answers within 20 to 80 ms', shortMs(3), [busy(much, 20, 80)]],
  ['answers within 50 to 150 ms', shortMs(3), [busy(much, 50, 150)]],
] as const;

const number = (value: number): string => Math.round(value).toLocaleString('en-US');

function row(name: string, runMs: number, { peak, depth }: SimulationResult, of: GroupResult): string {
  const cells = [
    `${of.name}, ${name}`,
    ...[runMs / 60_000, of.events, of.delivered, of.pending, of.lost, of.attempts].map(number),
    ...[of.p50, of.p99, of.p99OfWorstMinute, of.worst].map(number),
    ...[peak.depth, peak.invocations, depth].map(number),
  ];
  return `| ${cells.join(' | ')} |`;
}

const lines: string[] = [];
for (const [name, runMs, groups] of runs) {
  const result = await simulate({ groups, durationMs: runMs, restMs: 60_000, seed });
  // Groups of one name are alike.
  const groupsShown = result.groups.filter(({ name: of }, at) => result.groups[at - 1]?.name !== of);
  const rows = groupsShown.map((of) => row(name, runMs, result, of));
  console.log(rows.join('\n'));
  lines.push(...rows);
}
writeFileSync(
  new URL('../bench/webhooks.md', import.meta.url),
  `# Webhook dispatch on virtual time

\`npm run simulate:webhooks -- --minutes ${values.minutes} --seed ${values.seed}\` runs the code of \`lib/services/webhooks\` against models of
the table, the receivers and the queue: fair by the documented thresholds, batches of 10, up to 100 invocations, of
which 5 at first and 300 more a minute while messages wait, 0.5 % of the messages twice. 50 healthy endpoints get 10
events a second each and answer within 50 to 150 ms; 200 dead ones get 100 events a second each and never answer. 50
that fail get 2 events a second each and answer like the healthy ones, but not at all for five minutes in the middle.
The busy one has \`max_concurrency\` 128 and gets 1,000 events a second.

Latency is from the event to its first attempt, in ms; the worst minute leaves out the first one, in which every
endpoint is new. Lost: deliveries that are neither complete nor have an entry or a message.

| Endpoints | Minutes | Events | Delivered | Waiting | Lost | Attempts | p50 | p99 | p99, worst minute | Worst | Peak depth | Peak invocations | Depth at the end |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
${lines.join('\n')}
`,
);
