/** The page of the drills, in Markdown. */
import { type Figures, figureNames, noFigures } from './judge.ts';
import type { Outcome } from './run-drill.ts';

const rows: readonly (readonly [keyof Figures, string])[] = [
  ['accepted', 'emails that the API accepted'],
  ['doubled', '**doubled**: recipients of an email that SES took twice'],
  ['receivedTwice', '**doubled**: received messages that became two emails'],
  ['lostFromBefore', '**lost** from before the moment'],
  ['lost', '**lost**: emails accepted after the moment'],
  ['lostAndNamed', 'of these, named by `restore reconcile`'],
  ['lostAndSent', 'of these, sent before the loss'],
  ['lostAndNamedAsSent', 'of these, named as sent'],
  ['unconfirmed', '**unknown**: held, and not reported by SES'],
  ['unconfirmedAndSent', 'of these, sent before the loss'],
  ['completed', "held, and completed by SES's reports"],
  ['completedFromLogs', 'completed by the reconciliation, from log lines'],
  ['completedFromLogsNotSent', 'of these, not sent before the loss'],
  ['scheduledHeld', 'scheduled for later than the loss, and held'],
  ['scheduledHeldAndSent', 'of these, moved to an earlier time after the moment, and sent'],
  ['outcomeLost', '**unknown**: `sent`, and what became of them was reported before the loss'],
  ['unreadable', 'without their content'],
  ['stuck', 'neither gone, nor held, nor sent, nor ended'],
  ['cancellationsLost', 'canceled after the moment, and sent'],
  ['deletionsLost', 'deleted after the moment, and back'],
  ['received', 'messages that SES received'],
  ['receivedLost', '**lost**: of these, no email'],
  ['toldTwice', 'facts told to a webhook endpoint under two event ids'],
  ['deadLetters', 'dead letters'],
];

/** @param control outcomes without a reconciliation @param options of the command */
export function renderDrills(
  outcomes: readonly Outcome[],
  control: readonly Outcome[],
  options: string,
): string {
  const sum = sumOf(outcomes);
  const most = (name: keyof Figures) => Math.max(...outcomes.map(({ figures }) => figures[name]));
  const killed = outcomes.filter(({ isKilled }) => isKilled).length;
  return `# Restores of the table

Written by \`npm run drill:restore -- ${options}\`, which replaces this file.

Each drill is a deployment on the local cloud under load: sends, also to 60 recipients, above 4 KB, paced and scheduled
ones, which are also moved and canceled, drafts with approvals, replies, deletions, received mail, and a webhook
endpoint. In the second third of the load, in the middle of what workers do, the table is copied; after the last third
it is lost. An hour later the copy is restored under another name, reconciled, adopted and replayed
([restoring](../docs/restoring.md)). The seed chooses the load and the moment. In half of the drills SES's reports come
only when the table is lost. ${killed} of ${outcomes.length} reconciliations were killed on their way, and run again.

| Figure | All drills | Most in one |
|---|---:|---:|
${rows.map(([name, text]) => `| ${text} | ${sum[name]} | ${most(name)} |`).join('\n')}
${control.length === 0 ? '' : withoutReconciliation(control)}
Thread scheduling differs between two runs of the command. A run without failures is evidence, not proof.
`;
}

function withoutReconciliation(control: readonly Outcome[]): string {
  const { doubled, unreadable } = sumOf(control);
  return `
Without the reconciliation, in ${control.length} drills of the same seeds: ${doubled} recipients got an email twice, and
${unreadable} emails could not be read.
`;
}

function sumOf(outcomes: readonly Outcome[]): Figures {
  const sum = noFigures();
  for (const { figures } of outcomes) for (const name of figureNames) sum[name] += figures[name];
  return sum;
}
