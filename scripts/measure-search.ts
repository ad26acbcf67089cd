/** `npm run measure:search`: what a search in bodies would cost and take, by design; writes bench/search.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile, table } from './bench/figures.ts';
import { pricesCheckedOn } from './bench/prices.ts';
import { corpusName } from './corpus/files.ts';
import { mailsPerFile, textCharacters } from './search/mails.ts';
import {
  contentsOfRequest,
  type Design,
  designs,
  firstPageMs,
  requestsForPage,
  s3Ms,
} from './search/model.ts';
import { type Measured, measure, type Searched } from './search/run.ts';
import { gramsOfColumn, rowsOfQuery, signatureBits } from './search/signatures.ts';

const report = join(import.meta.dirname, '../bench/search.md');
const seed = 20261126;

const measured = await measure({ seed, segments: 10, mailsOfSegment: 10_000, queriesOfKind: 20 });
const { mails, searched } = measured;
const lost = searched.reduce((sum, one) => sum + one.lost, 0);
if (lost > 0) throw new Error(`signatures lost ${lost} mails`);

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const each = (total: number): string => whole(total / mails);

function queryTable(all: readonly Searched[]): string {
  const kinds = [...new Set(all.map(({ query }) => query.kind)), 'all'];
  const rows = kinds.map((kind) => {
    const some = all.filter(({ query }) => kind === 'all' || query.kind === kind);
    const at = (share: number, of: (one: Searched) => number) => whole(quantile(some.map(of), share));
    const needless = (one: Searched) => one.candidates - one.hits;
    return [
      kind,
      String(some.length),
      at(0.5, ({ hits }) => hits),
      at(0.5, needless),
      at(0.95, needless),
      at(0.95, ({ readForPage }) => readForPage),
      at(0.95, ({ query }) => rowsOfQuery(query.words).length),
      at(0.95, requestsForPage),
      at(0.95, (one) => firstPageMs(one, s3Ms.from, measured.contentsMs / mails)),
      at(0.95, (one) => firstPageMs(one, s3Ms.to, measured.contentsMs / mails)),
    ];
  });
  return table(
    [
      'Query',
      'Queries',
      'Mails found, median',
      'Needless candidates, median',
      'Needless, p95',
      'Contents read for a page, p95',
      'Rows, p95',
      'Requests, p95',
      `ms, S3 in ${s3Ms.from}, p95`,
      `ms, S3 in ${s3Ms.to}, p95`,
    ],
    rows,
  );
}

const dollars = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(2));
const fine = (value: number | undefined): string =>
  value === undefined ? '–' : String(Number(value.toPrecision(2)));

function designTable(all: readonly Design[]): string {
  return table(
    [
      'Design',
      '$ to index a million',
      '$ a month for a million',
      '$ a search of 100,000',
      '$ of 10 million',
      's of 100,000',
      's of 10 million',
    ],
    all.map((design) => [
      design.name,
      dollars(design.indexed),
      dollars(design.kept),
      ...[0, 1].map((at) => fine(design.dollars?.[at])),
      ...[0, 1].map((at) => fine(design.seconds?.[at])),
    ]),
  );
}

function pageOf({
  columns,
  grams,
  characters,
  distinctWords,
  inline,
  packedBytes,
  buildMs,
}: Measured): string {
  const shares = { inlineShare: inline / mails, fileShare: 1 / mailsPerFile };
  return `# Search in bodies, on paper and measured

Written by \`npm run measure:search\`; seed ${seed}. [Decision 80](../docs/decisions/0080-search-in-bodies.md) has what follows
from it. Nothing of this is in the product: \`scripts/search\` is a model.

## The mails

${whole(mails)} mails of lines of ${corpusName} and of \`test/fixtures/documents\`, each mail of neighbouring lines; the length is log-normal, with a
median of ${whole(textCharacters.median)} characters; every tenth has a file with four times its text. The corpus itself has mostly shorter texts.

| A mail | |
|---|---:|
| characters, mean | ${each(characters)} |
| different words, mean | ${each(distinctWords)} |
| bits of its signature that are set, of ${whole(signatureBits)}, mean | ${each(grams)} |
| columns, of ${whole(gramsOfColumn)} trigrams at most, mean | ${(columns / mails).toFixed(2)} |
| processor time of its signature and its part of a segment, µs | ${each(1000 * buildMs)} |
| its part of texts that are compressed together, bytes | ${each(packedBytes)} |
| processor time to read and compare its content, µs | ${each(1000 * measured.contentsMs)} |
| content in the table, percent | ${whole((100 * inline) / mails)} |

## Design (c), measured

Every query is also answered one by one: signatures lost ${lost} mails. A word of a query reads up to six rows of its trigrams, and
each candidate's content is compared. *Contents* are those until a page of 40 is full or nothing is left. A request reads up to
${contentsOfRequest} at once; it answers an empty page with a cursor beyond. *ms* is the first request: processor time is
measured, and calls take what AWS's documentation says, 5 ms of DynamoDB and ${s3Ms.from} to ${s3Ms.to} ms of S3. Nothing says how long the slowest of
a hundred reads takes.

${queryTable(searched)}

## Designs

Prices of ${pricesCheckedOn} (\`scripts/bench/prices.ts\`). *To index* has the invocation that reads a mail, alone at worst, and the second one
when its file's text is there. Seconds are the least that AWS's documented limits allow: 3,000 read units a second of a partition, 5,500
reads a second of a prefix, 90 MB/s of a connection to S3; of (c) with the slower time of S3 and 64 reads at once.

${designTable(designs(measured, shares))}
`;
}

const text = pageOf(measured);
writeFileSync(report, text);
console.log(text);
