/** The figures of the fault runs, and the page that shows them. */

import { type DeliveryTally, newDeliveryTally } from './faults-webhooks.ts';

/** Chunks of an email: 1 for one recipient, 6 for 300 (50 recipients per SES call). */
export type Chunks = 1 | 6;

export interface Tally {
  runs: Record<Chunks, number>;
  /** Faults that took effect, by kind. */
  faults: Map<string, number>;
  recipients: number;
  /** Recipients by number of copies. */
  copies: Map<number, number>;
  /** Emails whose last status is not `delivered`, or whose events do not have each recipient in one `sent`. */
  incomplete: number;
  /** Emails by number of `email.sent` events. */
  sentEvents: Map<number, number>;
  webhooks: DeliveryTally;
  deadLetters: number;
  /** Descriptions of failed runs. */
  failed: string[];
}

export function newTally(): Tally {
  return {
    runs: { 1: 0, 6: 0 },
    faults: new Map(),
    recipients: 0,
    copies: new Map(),
    incomplete: 0,
    sentEvents: new Map(),
    webhooks: newDeliveryTally(),
    deadLetters: 0,
    failed: [],
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
  const withEvents = (from: (times: number) => boolean) =>
    [...tally.sentEvents].filter(([times]) => from(times)).reduce((sum, [, emails]) => sum + emails, 0);
  const rows = (pairs: readonly (readonly [string, number])[]) =>
    pairs.map(([name, value]) => `| ${name} | ${value} |`).join('\n');
  return `# Submission and webhook deliveries under faults

Written by \`node scripts/faults.ts --runs ${runs} --seed ${seed}\` on ${new Date().toISOString().slice(0, 10)}, which replaces this file.

Each run sends one email on the local cloud, to one recipient or to 300 in six chunks, with one to four active faults. The
seed selects the faults: a worker is killed before or after one of its AWS calls, a call is executed but its response is lost, a
connection breaks before the call is executed, a call is throttled or fails, or SES pauses sending for the account. The targets
are \`release-mail\`, \`send-mail\`, \`relay\`, \`forward-delayed\`, \`provider-event\`, \`publish-event\`, \`deliver-webhook\` and
\`sweep\`; faults stay active during recovery. In three of ten runs the events of SES arrive late, twice and in another order. The clock then
advances until all queues are empty.

Three runs share a webhook endpoint that answers 200, and a new one that answers 500 to the first attempt of each event. Half of the messages of
\`publish-event\` and of \`deliver-webhook\` are sent once more, in random order.

| Runs | |
|---|---|
${rows([
  ['of one recipient', tally.runs[1]],
  ['of 300 recipients in six chunks', tally.runs[6]],
])}

| Faults that took effect | |
|---|---|
${rows([...tally.faults].sort(([a], [b]) => (a < b ? -1 : 1)))}
${rows([['**all**', total(tally.faults)]])}

| Outcome | |
|---|---|
${rows([
  ['recipients', tally.recipients],
  ['with exactly one copy', copies((got) => got === 1)],
  ['with no copy', copies((got) => got === 0)],
  ['with more than one copy', copies((got) => got > 1)],
  ['emails not `delivered` with every recipient once in `events`', tally.incomplete],
  ['emails with one `email.sent` event', withEvents((times) => times === 1)],
  ['emails with no or several `email.sent` events', withEvents((times) => times !== 1)],
  ['dead letters', tally.deadLetters],
])}

| Webhook deliveries | |
|---|---|
${rows([
  ['deliveries', tally.webhooks.deliveries],
  ['attempts recorded', tally.webhooks.attempts],
  ['requests received', tally.webhooks.requests],
  ['messages sent once more', tally.webhooks.repeated],
  ['events without a delivery that is `delivered`', tally.webhooks.lost],
  ['attempts recorded twice', tally.webhooks.recordedTwice],
])}
${tally.failed.length === 0 ? '' : `\nFailed runs:\n\n${tally.failed.map((line) => `- ${line}`).join('\n')}\n`}
The seed determines the emails and the faults. Thread scheduling determines which call a fault affects, so two runs of the
command differ. A run without failures is evidence, not proof.

One limit remains, because SES has no idempotency token: the recipients of a chunk get a second copy when the response of SES is
lost and its events arrive after the wait of an unconfirmed submission, or \`provider-event\` fails more than twice. A receiver gets a
request that is not recorded when a worker dies between the answer and the record.
`;
}
