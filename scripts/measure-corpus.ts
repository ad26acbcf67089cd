/** Measures parsing of the message corpus and writes `bench/corpus.md`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './bench/figures.ts';
import {
  type AttachmentCase,
  attachFiles,
  compareAttachments,
  differenceReason,
} from './corpus/attachments.ts';
import { isCorpusHere } from './corpus/files.ts';
import { type BodyComparison, compareBodies, knownDifferences } from './corpus/independent-text.ts';
import { measureReports, type ReportCase, share } from './corpus/reports.ts';
import { agrees, aspects, type Comparison, compareStructure } from './corpus/structure.ts';
import { measureWorstCases, type WorstCase } from './corpus/worst-cases.ts';
import { shownMs, targetMs } from './ten-megabytes.ts';

const page = join(import.meta.dirname, '../bench/corpus.md');
const differenceCharactersMax = 120;
const questions = ['kind', 'recipient', 'fields', 'status', 'original', 'permanence'] as const;

/** What was measured once. */
const unseenSection = `## Unseen bounces of other projects

Measured once, on test data that this project had not seen before and that is not in this repository: flufl.bounce 4.0 (Apache-2.0,
115 messages) and Mail::DeliveryStatus::BounceParser 1.543 (the licence of Perl, 126), both from the sources of Debian. Compared are the kind
(a report or none), all recipients where the project names them, and the permanence where the name of a file states the cause. Every message
was given the null return path that a bounce has.

| Messages | | First look | After |
|---|---|---:|---:|
| flufl.bounce | kind | 112 of 115 (97.4 %) | 114 of 115 (99.1 %) |
| flufl.bounce | recipients | 99 of 109 (90.8 %) | 103 of 109 (94.5 %) |
| BounceParser | kind | 119 of 126 (94.4 %) | 119 of 126 (94.4 %) |
| BounceParser | permanence | 97 of 103 (94.2 %) | 102 of 103 (99.0 %) |
| BounceParser | recipients | 36 of 38 (94.7 %) | 36 of 38 (94.7 %) |
| both | failures that pass and would suppress | 1 | 0 |

Seven of the eight remaining differences of the kind are read as they should be: two automatic replies (\`qmail_08\`, \`warning-6\`), two messages of
spam without a report (\`spam-with-image\`, \`spam-bogus-email-in-report\`), a notification of a server that BounceParser skips
(\`whitelist\`), and two reports of a delay, as their fields say (\`boxbe-cr\`, \`boxbe-cr2\`). With these the kind is right in 240 of 241 (99.6 %).
Wrong is an automatic reply that names an unknown user (\`warning-5\`). Still wrong among
the recipients: addresses without a domain (AOL), a report within a report, notices that name other addresses as examples
(\`llnl_01\`, \`yale_01\`); the original address below a forwarded one is what we expect (\`sendmail_01\`).`;

if (!isCorpusHere) {
  console.error('../shared/corpus is absent: nothing was measured.');
  process.exit(1);
}
const measured = {
  comparisons: await compareStructure(),
  bodies: await compareBodies(),
  attached: await attachFiles(),
  found: await compareAttachments(),
  cases: await measureReports(),
  worstCases: await measureWorstCases(),
};
const text = pageOf(measured);
mkdirSync(join(page, '..'), { recursive: true });
writeFileSync(page, text);
console.log(text);

function pageOf({ comparisons, bodies, attached, found, cases, worstCases }: typeof measured): string {
  return `# Mail parsing, measured

Written by \`node scripts/measure-corpus.ts\`, which reads \`../shared/corpus\` (real messages of other projects; see the
README there) and replaces this file.

${structureSection(comparisons)}

${bodiesSection(bodies)}

${attachmentsSection(attached, found)}

${reportsSection(cases)}

${unseenSection}

${worstCasesSection(worstCases)}
`;
}

function structureSection(comparisons: readonly Comparison[]): string {
  return `## Structure

\`mime/stalwart\` holds messages with the results of the mail-parser project. Compared are the subject, the names and
addresses of From, To and Cc, the text without white space, and the media types of the attachments in order. A field that is
missing on both sides counts as agreement. "Malformed" messages have no correct result.

${structureTable(comparisons)}

### Differences

${structureDifferences(comparisons)}`;
}

function bodiesSection(bodies: readonly BodyComparison[]): string {
  return `## Text beside an independent reader

Bodies of all messages of the corpus, compared with those of mailparser: plain text and html as the message has them, without
conversion between the two. White space and null characters do not count. Left out are messages that were made to be damaged
(\`malformed\`, \`error_emails\`, \`err\`), those whose boundary is not the declared one or is folded without indentation, those whose lines end in CR alone, which mailparser
does not read, and texts in which mailparser finds characters outside of the declared charset. Messages within messages are files here and
text in mailparser, so both read them under another type.

${bodyTable(bodies)}

Different:

${bodyDifferences(bodies)}`;
}

function attachmentsSection(attached: readonly AttachmentCase[], found: readonly AttachmentCase[]): string {
  return `## Attachments

Octets of attachments beside those of the file. \`scripts/corpus/attachments.ts\` attaches files (all line ends, all octets beside each of them,
texts in several charsets, binary files) in every encoding that can carry them, as six media types, with and without disposition, between parts and as
the last one, in messages whose lines end in CRLF, LF or CR alone.

${attachmentTable(attached)}

Different:

${attachmentDifferences(attached)}

The same for every attachment that mailparser, an independent reader, finds in the messages of the corpus that were not made to be damaged:

${attachmentTable(found)}

Different:

${attachmentDifferences(found)}`;
}

function reportsSection(cases: readonly ReportCase[]): string {
  return `## Reports

\`bounces/sisimai\` holds bounces, delay warnings, feedback reports and automatic replies, named by kind. It has no expected
results, so each aspect is checked against something that the parser does not use:

- *kind*: the kind in the file name: a bounce or delay (lhost, rhost, rfc3464, other bounces), a complaint (arf), or no report
  (rfc3834, no bounces);
- *recipient*: at least one was found;
- *fields*: all recipients are among the \`Final-Recipient\`, \`Original-Recipient\` or \`Original-Rcpt-To\` fields, if there are any;
- *status*: the first recipient has an enhanced status code;
- *original*: the original is among the returned Message-IDs, if there are any;
- *permanence*: it matches the recipient's local part, if that names the cause (\`userunknown@\`, \`mailboxfull@\`).

${reportTable(cases)}

### Categories

${categoryTable(cases)}

### Wrong kind

${missed(cases, 'kind')}

### Other misses

${(['recipient', 'fields', 'original', 'permanence'] as const)
  .map((question) => `- ${question}: ${missedNames(cases, question)}`)
  .join('\n')}

The files of *wrong kind* are read as they should be: authentication failure reports (RFC 6591) are no complaints, nor is a request
to unsubscribe (\`arf-26\`); people forward bounces by hand (\`lhost-sendmail-14\`, \`make-test-36\`); notifications about a delivery come as mail
of Amazon SNS (\`lhost-amazonses-12\` and \`-13\`); and a list warns of a loop (\`lhost-fml-03\`). The two of *permanence* report a host that did not respond and a code 421: they pass.`;
}

function worstCasesSection(worstCases: readonly WorstCase[]): string {
  return `## Ten megabytes

Parsing of adversarial messages of ten megabytes, in processor milliseconds, the fastest of three; ${targetMs} at most.
*Received*: with the text budget of \`receive-mail\`. *Whole*: without one.

${worstCaseTable(worstCases)}`;
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

/** An excerpt from `at` on, escaped for Markdown. */
function shown(value: string, at: number): string {
  const piece = value.slice(at, at + differenceCharactersMax);
  const cut = `${at > 0 ? '…' : ''}${piece}${at + piece.length < value.length ? '…' : ''}`;
  return `\`${JSON.stringify(cut.toWellFormed()).replaceAll('`', "'")}\``;
}

function bodyTable(bodies: readonly BodyComparison[]): string {
  const folders = [...new Set(bodies.map(({ folder }) => folder))];
  const row = (name: string, of: readonly BodyComparison[]) => [
    name,
    ...(['text', 'html', null] as const).map((body) => {
      const compared = of.filter((one) => body === null || one.body === body);
      return rate(compared.filter(agrees).length, compared.length);
    }),
  ];
  const rows = folders.map((folder) =>
    row(
      folder,
      bodies.filter((one) => one.folder === folder),
    ),
  );
  return table(['Messages', 'text', 'html', 'both'], [...rows, row('**All**', bodies)]);
}

function bodyDifferences(bodies: readonly BodyComparison[]): string {
  return bodies
    .filter((one) => !agrees(one))
    .map(({ file, body, expected, found }) => {
      const at = firstDifference(expected, found);
      const reason = knownDifferences[file] ?? 'not explained yet';
      return `- ${file}, ${body}: mailparser ${shown(expected, at)}; found ${shown(found, at)}. Why: ${reason}`;
    })
    .join('\n');
}

function attachmentTable(cases: readonly AttachmentCase[]): string {
  const encodings = [...new Set(cases.map(({ encoding }) => encoding))];
  const row = (name: string, of: readonly AttachmentCase[]) => [
    name,
    ...(['CRLF', 'LF', 'CR', null] as const).map((lineEnds) => {
      const compared = of.filter((one) => lineEnds === null || one.lineEnds === lineEnds);
      return rate(compared.filter(({ isIdentical }) => isIdentical).length, compared.length);
    }),
  ];
  return table(
    ['Encoding', 'CRLF', 'LF', 'CR', 'identical'],
    [
      ...encodings.map((encoding) =>
        row(
          encoding,
          cases.filter((one) => one.encoding === encoding),
        ),
      ),
      row('**All**', cases),
    ],
  );
}

function attachmentDifferences(cases: readonly AttachmentCase[]): string {
  const different = cases.filter(({ isIdentical }) => !isIdentical);
  const reasons = Map.groupBy(different, ({ encoding, what }) => `${encoding}: ${differenceReason(what)}`);
  const lines = [...reasons].map(([reason, of]) => `- ${of.length} × ${reason}`);
  return lines.join('\n') || 'None.';
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

function worstCaseTable(worstCases: readonly WorstCase[]): string {
  return table(
    ['Message', 'Received', 'Whole'],
    worstCases.map(({ what, receivedMs, wholeMs }) => [what, shownMs(receivedMs), shownMs(wholeMs)]),
  );
}

function missed(cases: readonly ReportCase[], question: (typeof questions)[number]): string {
  return cases
    .filter((one) => one[question] === false)
    .map(({ file, category, report }) => `- ${file}: ${report?.kind ?? 'no report'}, category ${category}`)
    .join('\n');
}

/** Misses of messages with the right kind. */
function missedNames(cases: readonly ReportCase[], question: (typeof questions)[number]): string {
  const names = cases
    .filter((one) => one.kind && one[question] === false)
    .map(({ file }) => file.slice('bounces/sisimai/maildir/'.length));
  return names.join(', ') || 'none';
}
