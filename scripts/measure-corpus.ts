/** Measures how the corpus of real messages is understood, and writes `bench/corpus.md`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus, isCorpusHere } from './corpus/files.ts';
import { measureReports, type ReportCase, share } from './corpus/reports.ts';
import { measureStorms, type StormCost } from './corpus/storms.ts';
import { agrees, aspects, type Comparison, compareStructure } from './corpus/structure.ts';
import { shownMs, targetMs } from './ten-megabytes.ts';

const page = join(import.meta.dirname, '../bench/corpus.md');
const differenceCharactersMax = 120;
const questions = ['kind', 'recipient', 'fields', 'status', 'original', 'permanence'] as const;

if (!isCorpusHere) {
  console.error(`No corpus at ${corpus}: nothing was measured.`);
  process.exit(1);
}
const text = pageOf(await compareStructure(), await measureReports(), await measureStorms());
mkdirSync(join(page, '..'), { recursive: true });
writeFileSync(page, text);
console.log(text);

function pageOf(
  comparisons: readonly Comparison[],
  cases: readonly ReportCase[],
  storms: readonly StormCost[],
): string {
  return `# Reading mail, measured

Written by \`node scripts/measure-corpus.ts\`, which reads \`../shared/corpus\` (real messages of other projects; see the
README there) and replaces this file.

## Structure

\`mime/stalwart\` holds each message with what the mail-parser project reads in it. Compared: the subject; the names and
addresses of From, To and Cc; the text, where white space does not count; the media types of the attachments in order.
Messages that lack a field on both sides count as agreement. "Malformed" has no right answer: agreement there says that two
readers guess alike.

${structureTable(comparisons)}

### Where we differ

${structureDifferences(comparisons)}

## Reports

\`bounces/sisimai\` holds bounces, delay warnings, feedback reports and automatic answers, named after what they are. It has
no expected answers, so each question is checked against something that the reader does not use:

- *kind*: it is taken for what its name says: a bounce or delay (lhost, rhost, rfc3464, other bounces), a complaint (arf), or no
  report at all (rfc3834, no bounces);
- *recipient*: at least one was found;
- *fields*: where the raw text has \`Final-Recipient\`, \`Original-Recipient\` or \`Original-Rcpt-To\`, every recipient stands there;
- *status*: the first recipient has an enhanced status code;
- *original*: where a Message-ID came back, the one found is among those that did;
- *permanence*: where the recipient's name tells why mail to it fails (\`userunknown@\`, \`mailboxfull@\`), it is right for all such.

${reportTable(cases)}

### Categories

${categoryTable(cases)}

### Where the kind is missed

${missed(cases, 'kind')}

### Other misses

${(['recipient', 'fields', 'original', 'permanence'] as const)
  .map((question) => `- ${question}: ${missedNames(cases, question)}`)
  .join('\n')}

## Ten megabytes

Messages of ten megabytes that were made to take up time, in milliseconds of the processor, the fastest of three; ${targetMs} at most.
*Received*: as \`receive-mail\` reads them, where of a long text the beginning is shown. *Whole*: all of it.

${stormTable(storms)}
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function rate(yes: number, of: number): string {
  return of === 0 ? '–' : `${yes} of ${of} (${Math.floor((100 * yes) / of)} %)`;
}

function structureTable(comparisons: readonly Comparison[]): string {
  const folders = [...new Set(comparisons.map(({ folder }) => folder))];
  const row = (name: string, of: readonly Comparison[]) => [
    name,
    ...aspects.map((aspect) => {
      const compared = of.filter((one) => one.aspect === aspect);
      return rate(compared.filter(agrees).length, compared.length);
    }),
  ];
  return table(
    ['Messages', ...aspects],
    [
      ...folders.map((folder) =>
        row(
          folder,
          comparisons.filter((one) => one.folder === folder),
        ),
      ),
      row('**All**', comparisons),
    ],
  );
}

function structureDifferences(comparisons: readonly Comparison[]): string {
  return comparisons
    .filter((one) => !agrees(one))
    .map(({ file, aspect, expected, found }) => {
      const at = firstDifference(expected, found);
      return `- ${file}, ${aspect}: expected ${shown(expected, at)}; found ${shown(found, at)}`;
    })
    .join('\n');
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return Math.max(at - 20, 0);
}

/** A piece of a text from \`at\` on, safe to stand in a page. */
function shown(value: string, at: number): string {
  const piece = value.slice(at, at + differenceCharactersMax);
  const cut = `${at > 0 ? '…' : ''}${piece}${at + piece.length < value.length ? '…' : ''}`;
  return `\`${JSON.stringify(cut.toWellFormed()).replaceAll('`', "'")}\``;
}

function reportTable(cases: readonly ReportCase[]): string {
  const groups = [...new Set(cases.map(({ group }) => group))];
  const row = (name: string, of: readonly ReportCase[]) => [
    name,
    String(of.length),
    ...questions.map((question) => {
      const { yes, of: asked } = share(of, question);
      return rate(yes, asked);
    }),
  ];
  return table(
    ['Group', 'Messages', ...questions],
    [
      ...groups.map((group) =>
        row(
          group,
          cases.filter((one) => one.group === group),
        ),
      ),
      row('**All**', cases),
    ],
  );
}

function categoryTable(cases: readonly ReportCase[]): string {
  const groups = [...new Set(cases.map(({ group }) => group))];
  const names = [...new Set(cases.map(({ category }) => category))].sort();
  const count = (group: string, name: string) =>
    cases.filter((one) => one.group === group && one.category === name).length;
  return table(
    ['Group', ...names],
    groups.map((group) => [group, ...names.map((name) => String(count(group, name) || ''))]),
  );
}

function stormTable(storms: readonly StormCost[]): string {
  return table(
    ['Message', 'Received', 'Whole'],
    storms.map(({ what, receivedMs, wholeMs }) => [what, shownMs(receivedMs), shownMs(wholeMs)]),
  );
}

function missed(cases: readonly ReportCase[], question: (typeof questions)[number]): string {
  return cases
    .filter((one) => one[question] === false)
    .map(({ file, category, report }) => `- ${file}: ${report?.kind ?? 'no report'}, category ${category}`)
    .join('\n');
}

/** Those that are taken for reports; the others stand in the list above. */
function missedNames(cases: readonly ReportCase[], question: (typeof questions)[number]): string {
  const names = cases
    .filter((one) => one.kind && one[question] === false)
    .map(({ file }) => file.slice('bounces/sisimai/maildir/'.length));
  return names.join(', ') || 'none';
}
