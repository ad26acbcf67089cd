/** The page of the drills of the loss of a region, in Markdown. */
import { median } from '../bench/figures.ts';
import type { RegionOutcome } from './run-drill.ts';
import type { Return } from './way-home.ts';

const rows: readonly (readonly [(outcome: RegionOutcome) => number, string])[] = [
  [({ figures }) => figures.accepted, 'emails that the API accepted'],
  [({ missing }) => missing, 'items whose last change had not come to the copy'],
  [({ replicated }) => replicated, 'items whose change within the lag had come'],
  [({ figures }) => figures.doubled, '**doubled**: recipients of an email that SES took twice'],
  [({ figures }) => figures.receivedTwice, '**doubled**: received messages that became two emails'],
  [
    ({ tornTwice }) => tornTwice.length,
    '**doubled**: received messages of the lag, whose email had come and whose claim had not',
  ],
  [({ figures }) => figures.lostFromBefore, '**lost** from before the lag'],
  [({ figures }) => figures.lost, '**lost**: emails accepted within the lag'],
  [({ figures }) => figures.lostAndSent, 'of these, sent before the loss'],
  [({ figures }) => figures.lostAndNamed, 'of these, named by `restore reconcile`'],
  [({ figures }) => figures.receivedLost, '**lost**: messages that SES received'],
  [({ figures }) => figures.unconfirmed, '**unknown**: held, and not reported by SES'],
  [({ figures }) => figures.unconfirmedAndSent, 'of these, sent before the loss'],
  [
    ({ figures }) => figures.scheduledHeld,
    'scheduled for later, and held until the operator lets them leave',
  ],
  [({ figures }) => figures.completed, "held, and completed by SES's reports"],
  [
    ({ figures }) => figures.outcomeLost,
    '**unknown**: `sent`, and what became of them was reported before the loss',
  ],
  [({ figures }) => figures.stuck, 'neither gone, nor held, nor sent, nor ended'],
  [({ unreadable }) => unreadable, 'emails whose content S3 had not copied: not read, not sent'],
  [
    ({ movedLost }) => movedLost,
    'drafts and emails that are gone: approved or deleted within the lag, their removal had come',
  ],
  [({ withoutThread }) => withoutThread, 'emails whose thread cannot be read'],
  [({ figures }) => figures.deadLetters, 'dead letters'],
];

const ofReturn: readonly (readonly [(back: Return) => number, string])[] = [
  [({ waiting }) => waiting, 'messages and timers that waited in it'],
  [({ sent }) => sent, 'emails that SES took from it'],
  [({ doubled }) => doubled, '**doubled**: recipients that got one of them before'],
  [({ posted }) => posted, 'requests to the webhook endpoint'],
  [({ toldTwice }) => toldTwice, '**doubled**: facts of which the endpoint had heard under another event id'],
];

const homeRows: typeof rows = [
  [({ cameLate }) => cameLate, 'items that came to the standby when the home region was back'],
  [({ cameBack }) => cameBack, 'lost emails that came back with them'],
  [({ cameBackAndSent }) => cameBackAndSent, 'of these, sent by the standby then'],
  [({ wayHome }) => wayHome.figures.accepted, 'emails that the API accepted in both regions'],
  [({ wayHome }) => wayHome.figures.doubled, '**doubled**: recipients of an email that SES took twice'],
  [
    ({ wayHome }) => wayHome.sentTwice,
    '**doubled**: recipients of emails of the lag, sent before the loss and by the standby when they came back',
  ],
  [({ wayHome }) => wayHome.figures.receivedTwice, '**doubled**: received messages that became two emails'],
  [
    ({ wayHome }) => wayHome.cameTwice,
    '**doubled**: received messages of the lag, received again after the loss and back with the home region',
  ],
  [({ wayHome: { figures } }) => figures.lostFromBefore, '**lost**: emails that the API accepted'],
  [({ wayHome }) => wayHome.figures.receivedLost, '**lost**: messages that SES received'],
  [
    ({ wayHome }) => wayHome.settled,
    'on their way when the standby stopped: held by `restore reconcile`, and sent by `restore settle`',
  ],
  [({ wayHome }) => wayHome.figures.unconfirmed, '**unknown**: held, and not reported by SES'],
  [({ wayHome }) => wayHome.figures.outcomeLost, '**unknown**: `sent`, and what became of them is not known'],
  [({ wayHome }) => wayHome.figures.unreadable, 'emails without their content'],
  [({ wayHome }) => wayHome.figures.stuck, 'neither gone, nor held, nor sent, nor ended'],
  [({ wayHome }) => wayHome.figures.deadLetters, 'dead letters'],
];

const times: readonly (readonly [(outcome: RegionOutcome) => number, string])[] = [
  [({ lagMs }) => lagMs, 'lag: the longest that a change was behind'],
  [({ rpoMs }) => rpoMs, 'RPO: age of the oldest email that is lost'],
  [({ reconcileMs }) => reconcileMs, 'RTO: `restore reconcile`'],
  [({ startMs }) => startMs, 'RTO: the workers start on the copy'],
  [({ replayMs }) => replayMs, 'RTO: `restore replay`'],
  [({ wayHome }) => wayHome.reconcileMs, 'way home, RTO: `restore reconcile`'],
  [({ wayHome }) => wayHome.replayMs, 'way home, RTO: `restore replay`'],
];

/** @param options of the command */
export function renderRegionDrills(outcomes: readonly RegionOutcome[], options: string): string {
  const all = (of: (outcome: RegionOutcome) => number) => outcomes.map(of);
  const sum = (of: (outcome: RegionOutcome) => number) => all(of).reduce((total, one) => total + one, 0);
  const table = (lines: typeof rows) =>
    lines.map(([of, text]) => `| ${text} | ${sum(of)} | ${Math.max(...all(of))} |`).join('\n');
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  return `# Loss of the home region

Written by \`npm run drill:region -- ${options}\`, which replaces this file.

Each of ${outcomes.length} drills is a deployment on the local cloud under the load of the [restore drills](restore.md).
In the middle of the load its region is lost: no call reaches the table any more, and queues and timers are gone. A
second local cloud has nothing but copies: of each item, by a seeded choice, the version of the loss or that of the
beginning of the lag, so that transactions are torn; half of the files that were written within the lag; the raw
messages of the mail regions; and the notifications that nobody had worked on. There the copy is reconciled, taken
over and replayed ([two regions](../docs/regions.md)), and the load goes on. In half of the drills, SES's
reports of the lag come after the loss.

| Figure | All drills | Most in one |
|---|---:|---:|
${table(rows)}

## The fence

The home region is fenced when it is lost, by the command of [two regions](../docs/regions.md#home-region-lost). When
the standby has worked for two hours, the home region is back with its queues, timers and schedules, and SES's
reports of all that the standby has sent. In each drill it is run twice: behind the fence for an hour, and, in a copy,
without the fence for two, before it has anything that the standby wrote.

| The home region is back | Fenced | Not fenced |
|---|---:|---:|
${ofReturn.map(([of, text]) => `| ${text} | ${sum(({ wayHome }) => of(wayHome.fenced))} | ${sum(({ unfenced }) => of(unfenced))} |`).join('\n')}

## The way home

The table of the home region is copied to the standby again while the standby works, item by item, in a seeded order
and with pauses. Mail that is unconfirmed since the loss is failed. The standby is stopped in the middle of a load,
whose rest the API of the idle standby takes. The home region gets what the standby has, is reconciled behind its
fence, the fence is opened, and the outbox replayed ([going home](../docs/regions.md#going-home)).

| Figure | All drills | Most in one |
|---|---:|---:|
${table(homeRows)}

The RPO of the way home is zero: the copies are complete before it.

## Times

Seconds, here:

| Time | Middle | Longest |
|---|---:|---:|
${times.map(([of, text]) => `| ${text} | ${seconds(median(all(of)))} | ${seconds(Math.max(...all(of)))} |`).join('\n')}

The lag of the drills is longer than that of DynamoDB, "typically within a second or less" ("How DynamoDB global tables
work"), so that more is torn. [Two regions](../docs/regions.md#what-it-takes) adds the times of AWS to those of the
commands.

Thread scheduling differs between two runs of the command. A run without failures is evidence, not proof.
`;
}
