/** The page of `npm run limits`. */
import { shown, table } from '../bench/figures.ts';
import { withText } from '../written-text.ts';
import { paperPlace, paperSection, paperStart } from './paper.ts';
import type { LoadFigures } from './run-load.ts';

export const callsPerEmailMax = 1.2;
/** Emails of one workspace may leave this much out of order: others are on their way to SES while it refuses one. */
export const disorderSecondsMax = 5;

export function callsPerEmail({ sesCalls, emails }: LoadFigures): number {
  return sesCalls / emails;
}

/** What must not happen, in words; empty where all is well. */
export function faultsOf(figures: LoadFigures): string[] {
  const { lost, doubled, wrongEvents, deadLetters, waits } = figures;
  return [
    ...(lost > 0 ? [`${lost} emails were lost`] : []),
    ...(doubled > 0 ? [`${doubled} emails were sent twice`] : []),
    ...(wrongEvents > 0 ? [`${wrongEvents} emails have not one email.sent event`] : []),
    ...(deadLetters > 0 ? [`${deadLetters} dead letters`] : []),
    ...(callsPerEmail(figures) > callsPerEmailMax
      ? [`${callsPerEmail(figures).toFixed(2)} SES calls an email`]
      : []),
    ...waits
      .filter(({ disorder }) => disorder > disorderSecondsMax)
      .map(({ workspace, disorder }) => `emails of ${workspace} left ${disorder.toFixed(1)} s out of order`),
  ];
}

export function pageOf(all: readonly LoadFigures[], at: Date): string {
  return `# Under the limits of an account

Written by \`npm run limits\` on ${at.toISOString().slice(0, 10)}. Each load runs on a local cloud of its own with these limits, secondary indexes up to
2 s behind, 5 % of notifications twice, and 2 % of transactions in conflict. Times are of the local clock. Targets: at most ${callsPerEmailMax} SES calls an email, no email
lost or sent twice, the emails of a workspace in order (within ${disorderSecondsMax} s).

## On paper

${withText(paperPlace, paperStart, paperSection())}

${all.map(section).join('\n')}`;
}

function section(figures: LoadFigures): string {
  const faults = faultsOf(figures);
  const units = Object.entries(figures.writeUnits).sort(([, a], [, b]) => b - a);
  return `## ${capital(figures.title)}

${table(
  ['', ''],
  [
    ['emails', String(figures.emails)],
    ['accepted in', `${shown(figures.acceptedIn)} s`],
    ['sent in', duration(figures.sentIn)],
    ['SES calls an email', callsPerEmail(figures).toFixed(3)],
    ['SES calls throttled', String(figures.sesThrottled)],
    [
      'lost, sent twice, without one `email.sent`',
      `${figures.lost}, ${figures.doubled}, ${figures.wrongEvents}`,
    ],
    ['API requests answered with 429 or 503', String(figures.apiThrottled)],
    ['invocations throttled', list(figures.invocationsThrottled)],
    ['calls that DynamoDB throttled', list(figures.tableThrottled)],
    ['other AWS calls throttled or failed', list(figures.callsFailed)],
    ['write units an email', figures.writeUnitsPerEmail.toFixed(1)],
    ['of them', units.map(([name, amount]) => `${name} ${amount.toFixed(2)}`).join(', ')],
    ['result', faults.length === 0 ? 'all targets met' : faults.join('; ')],
  ],
)}

${table(
  ['Workspace', 'Emails', 'Median wait', 'Longest wait', 'Out of order by'],
  figures.waits.map(({ workspace, emails, median, longest, disorder }) => [
    workspace,
    String(emails),
    duration(median),
    duration(longest),
    `${disorder.toFixed(1)} s`,
  ]),
)}
`;
}

function list(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return entries.map(([name, count]) => `${name} ${count}`).join(', ') || 'none';
}

function duration(seconds: number): string {
  if (seconds < 120) return `${shown(seconds)} s`;
  return seconds < 7200 ? `${shown(seconds / 60)} min` : `${shown(seconds / 3600)} h`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
