/** The page of the measurements, in Markdown. */
import { shown, table } from '../bench/figures.ts';
import { dollarsOf, pricesCheckedOn } from '../bench/prices.ts';
import { person } from './fill.ts';
import type { Measured, Removal } from './run.ts';
import type { CommandRun, Use } from './run-command.ts';

const dollars = (use: Use): number =>
  dollarsOf('readUnit', use.readUnits) +
  dollarsOf('writeUnit', use.writeUnits) +
  dollarsOf('s3Get', use.gets) +
  dollarsOf('s3Put', use.lists);

/** Of an erasure that is not killed: the killed run, and the one that went on. */
function sumOf({ killed, continued }: Measured): CommandRun {
  const use = Object.fromEntries(
    Object.entries(killed.use).map(([name, value]) => {
      const other = continued.use[name as keyof Use];
      return [name, name === 'largestTransaction' ? Math.max(value, other) : value + other];
    }),
  ) as unknown as Use;
  return {
    report: null,
    use,
    seconds: killed.seconds + continued.seconds,
    megabytes: continued.megabytes,
    progressLines: killed.progressLines + continued.progressLines,
  };
}

const callsEach = (measured: Measured): string =>
  (sumOf(measured).use.tableCalls / measured.emails).toFixed(1);

function commandRow(what: string, { emails }: Measured, run: CommandRun): string[] {
  const { use } = run;
  const isMetered = use.readUnits + use.writeUnits > 0;
  const counted = run.report?.emails ?? '–';
  return [
    what,
    String(emails),
    String(counted),
    shown(run.seconds),
    shown(run.megabytes || null),
    String(run.progressLines),
    String(use.tableCalls),
    String(use.gets),
    isMetered ? shown(use.readUnits) : '–',
    isMetered ? shown(use.writeUnits) : '–',
  ];
}

const commandHead = [
  'Run',
  'Emails of the person',
  'emails that it reports',
  's',
  'MB at most',
  'progress lines',
  'calls of the table',
  'reads of the bucket',
  'read units',
  'write units',
];

const rowsOf = (measured: Measured): string[][] => [
  commandRow('`--dry-run`', measured, measured.dryRun),
  commandRow('killed at half', measured, measured.killed),
  commandRow('continued', measured, measured.continued),
  commandRow('repeated', measured, measured.repeated),
];

/**
 * @param metered with units, and with what the workers remove
 * @param large one that was measured apart; null: none was
 * @param command by which the page was written
 */
export function renderErasure(
  metered: Measured & { readonly removal: Removal },
  large: Measured | null,
  command: string,
): string {
  const { emails, removal } = metered;
  const erasure = sumOf(metered);
  const forLarge = (amount: number) => (amount * 100_000) / emails;
  return `# Erasing a person

Written by \`${command}\`, which replaces this file.

A workspace has the mail of \`${person}\`, as the stores write it: received and sent in turn, in threads of
five, a tenth of it in one thread, a tenth with a file and with content in the bucket, one to a hundred people, some
scheduled, all with events and deliveries at an endpoint; and a fifth as much mail of others. \`person erase\` runs in
a process of its own against the local cloud, with no worker beside it. It counts, is killed when it has read half, is
run again to its end, and once more. Then the workers remove what is hidden.

${table(commandHead, [...rowsOf(metered), ...(large ? rowsOf(large) : [])])}

The seconds are those of this machine, of which other programs have a part; a killed run has no memory figure. The
process has about 150 MB before it does anything. The largest transaction has ${erasure.use.largestTransaction} items.
${large ? 'Where units are not shown, they were not counted: each count costs the local cloud several calls.\n' : ''}
| Afterwards, by the workers | ${emails} emails |
|---|---:|
| s, both passes | ${shown(removal.seconds)} |
| invocations of \`run-task\` | ${removal.invocations} |
| calls of the table | ${removal.use.tableCalls} |
| read units | ${shown(removal.use.readUnits)} |
| write units | ${shown(removal.use.writeUnits)} |
| lists of the bucket | ${removal.use.lists} |
| deletions in the buckets, which cost nothing | ${removal.use.deletes} |
| items that name the person in the end | ${removal.left} |
| emails of others in the end, of ${Math.floor(emails / 5)} | ${removal.others} |
| dead letters | ${removal.deadLetters} |

The erasure makes ${callsEach(metered)} calls of the table for each email${large ? `, and ${callsEach(large)} where there are ${large.emails}` : ''}. By these units, 100,000
emails would cost $${forLarge(dollars(metered.dryRun.use)).toFixed(2)} to count, $${forLarge(dollars(erasure.use)).toFixed(2)} to erase, and $${forLarge(dollars(removal.use)).toFixed(2)} to remove: units of the table and calls
of the buckets, at the list prices of ${pricesCheckedOn}, without Lambda and SQS.
`;
}
