/** What runs under faults came to, counted, and the page that says it. */

/** Hand-offs that an email takes: one recipient, or 300 in groups of 50. */
export type Chunks = 1 | 6;

export interface Tally {
  runs: Record<Chunks, number>;
  /** Faults that struck, by kind. */
  struck: Map<string, number>;
  recipients: number;
  /** Recipients by how many copies they got. */
  copies: Map<number, number>;
  /** Emails that did not end `delivered`, or whose history is not one `sent` for each recipient. */
  unsettled: number;
  /** Emails by how often `email.sent` was told of. */
  told: Map<number, number>;
  deadLetters: number;
  /** Seeds of runs with anything amiss. */
  amiss: string[];
}

export function newTally(): Tally {
  return {
    runs: { 1: 0, 6: 0 },
    struck: new Map(),
    recipients: 0,
    copies: new Map(),
    unsettled: 0,
    told: new Map(),
    deadLetters: 0,
    amiss: [],
  };
}

export function count<K>(tally: Map<K, number>, key: K): void {
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

export function total(tally: Map<unknown, number>): number {
  return [...tally.values()].reduce((sum, one) => sum + one, 0);
}

/** The page, in Markdown. */
export function render(tally: Tally, runs: number, seed: number): string {
  const copies = (from: (got: number) => boolean) =>
    [...tally.copies].filter(([got]) => from(got)).reduce((sum, [, recipients]) => sum + recipients, 0);
  const told = (from: (times: number) => boolean) =>
    [...tally.told].filter(([times]) => from(times)).reduce((sum, [, emails]) => sum + emails, 0);
  const rows = (pairs: readonly (readonly [string, number])[]) =>
    pairs.map(([name, value]) => `| ${name} | ${value} |`).join('\n');
  return `# The hand-off under faults

Written by \`node scripts/faults.ts --runs ${runs} --seed ${seed}\` on ${new Date().toISOString().slice(0, 10)}, which replaces this file.

Each run sends one email on the local cloud, to one recipient or to 300 in six chunks, while one to four faults are in
force, drawn by the seed: a worker dies before or after any of its AWS calls, a call is carried out but its answer is lost, a
connection breaks before anything is done, a call is throttled or
fails, SES pauses all sending of the account. They strike \`send-mail\`, \`relay\`, \`forward-delayed\`,
\`provider-event\`, \`publish-event\` and \`deliver-webhook\`, and go on striking while the email recovers. In three of ten runs
the reports of SES come late, twice and in another order. Then the clock moves until nothing is under way.

| Runs | |
|---|---|
${rows([
  ['of one recipient', tally.runs[1]],
  ['of 300 recipients in six chunks', tally.runs[6]],
])}

| Faults that struck | |
|---|---|
${rows([...tally.struck].sort(([a], [b]) => (a < b ? -1 : 1)))}
${rows([['**all**', total(tally.struck)]])}

| Came to | |
|---|---|
${rows([
  ['recipients', tally.recipients],
  ['with exactly one copy', copies((got) => got === 1)],
  ['lost', copies((got) => got === 0)],
  ['doubled', copies((got) => got > 1)],
  ['emails that ended otherwise than `delivered` with every recipient once in `events`', tally.unsettled],
  ['emails with `email.sent` told once', told((times) => times === 1)],
  ['emails with `email.sent` never told, or as several events', told((times) => times !== 1)],
  ['dead letters', tally.deadLetters],
])}
${tally.amiss.length === 0 ? '' : `\nAmiss:\n\n${tally.amiss.map((line) => `- ${line}`).join('\n')}\n`}
What the seed fixes are the emails and their faults. Which call a fault meets also depends on how the threads of the workers
take turns, so that two runs of the command differ in the faults that strike; a clean run is evidence and no proof.

One limit stands, since SES has no idempotency token: where the answer of SES is lost, and its reports come later than the wait
for an unsettled hand-off or fail at our side more than twice, the recipients of that chunk get a second copy.
`;
}
