/** Measures text extraction from documents with known words, and writes `bench/documents.md`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './bench/figures.ts';
import {
  hasExpectedStatus,
  isReadable,
  isSilent,
  kinds,
  type MeasuredDocument,
  mean,
  meanRecall,
  measureKind,
  recallGoal,
  recallOf,
  silentMax,
} from './documents/measure-files.ts';

const page = join(import.meta.dirname, '../bench/documents.md');
/** Words of a file that are shown of what it misses. */
const missingShown = 6;

const measured: MeasuredDocument[] = [];
for (const kind of kinds) measured.push(...(await measureKind(kind)));
const text = pageOf(measured);
mkdirSync(join(page, '..'), { recursive: true });
writeFileSync(page, text);
console.log(text);

function pageOf(all: readonly MeasuredDocument[]): string {
  const writers = new Set(all.map(({ document }) => document.writer));
  const languages = new Set(all.map(({ document }) => document.language));
  return `# Text of documents, measured

Written by \`node scripts/measure-documents.ts\`, which reads \`test/fixtures/documents\` (see the README there): ${all.length} files of
${writers.size} writers in ${languages.size} languages and scripts, each with the words that its writer was given. Nothing is from Microsoft Office
or Google Docs, which we cannot run.

- *Words*: the mean share of the known words that the text has, after compatibility composition and case folding; Chinese,
  Japanese and Thai by letter. A number that is altered is missing.
- *Order*: the mean share of the found words that stand in reading order (longest common subsequence).
- *Invented*: the mean share of the text's words that the document does not have.
- *Silent*: files that are \`ready\` without a warning and miss more than ${100 * silentMax} % of the words. The goal is none.
- *Status*: files that cannot be read in full (scans, passwords, formats without a reader) and have the status that says so.

${kindsTable(all)}

## What is missing

${differences(all)}
`;
}

function kindsTable(all: readonly MeasuredDocument[]): string {
  const rows = kinds.map((kind) => {
    const files = all.filter((one) => one.kind === kind);
    const readable = files.filter(isReadable);
    const others = files.filter((one) => !isReadable(one));
    return [
      kind,
      String(files.length),
      share(meanRecall(files)),
      share(recallGoal(kind)),
      share(mean(readable.map(({ comparison }) => comparison.order))),
      share(
        mean(readable.map(({ comparison }) => comparison.invented.length / Math.max(1, comparison.read))),
      ),
      String(files.filter(isSilent).length),
      others.length === 0 ? '–' : `${others.filter(hasExpectedStatus).length} of ${others.length}`,
    ];
  });
  return table(['Kind', 'Files', 'Words', 'Goal', 'Order', 'Invented', 'Silent', 'Status'], rows);
}

function share(value: number): string {
  return value.toFixed(4);
}

/** Files that are silent, have another status than expected, or miss words. */
function differences(all: readonly MeasuredDocument[]): string {
  const wrong = all.filter(
    (one) => !hasExpectedStatus(one) || (isReadable(one) && recallOf(one) < 1 - silentMax),
  );
  if (wrong.length === 0) return `No file misses more than ${100 * silentMax} % of its words.`;
  return table(
    ['File', 'Shows', 'Status', 'Words', 'Missing'],
    wrong.map((one) => [
      `\`${one.kind}/${one.document.file}\``,
      one.document.shows,
      `${one.extracted.status}${one.extracted.warnings.length > 0 ? ', warned' : ''}`,
      share(recallOf(one)),
      one.comparison.missing.slice(0, missingShown).join(' '),
    ]),
  );
}
