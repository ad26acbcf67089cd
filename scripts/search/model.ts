/** What designs of a search would cost and take in AWS: figures of `run.ts`, times of AWS's documentation, and list prices. */
import { assumedMs } from '../bench/deployed-duration.ts';
import { dollarsOf } from '../bench/prices.ts';
import type { Measured, Searched } from './run.ts';
import { rowsOfQuery, signatureBits } from './signatures.ts';

/** Of S3, in ms: "Best practices design patterns: optimizing Amazon S3 performance" in the Amazon S3 User Guide. */
export const s3Ms = { from: 100, to: 200 } as const;
/** GETs of a prefix in a second (the same page). */
const s3GetsOfSecond = 5500;
/** Bytes in a second of one connection to S3 ("Performance guidelines for Amazon S3": 85 to 90 MB/s). */
const s3BytesOfSecond = 90e6;
/** Bytes that one partition reads in a second, not consistent: 3,000 units of 8 KB ("Best practices for designing and using partition keys effectively in DynamoDB"). */
const partitionBytesOfSecond = 3000 * 8192;
/** Contents that a request reads at most, all at once: four batches of the table, and about sixty reads of the bucket. */
export const contentsOfRequest = 400;
/** Key, budget, workspace; then the list of segments and the newest signatures. */
const callsBefore = 3;
/** Memory of an operation, and of a whole processor (docs/cost.md#memory-of-functions). */
const processorShare = 1024 / 1769;
const million = 1_000_000;

/**
 * The first request of a search over all mails, which are in one segment.
 *
 * @param s3 ms of a read of S3
 * @param contentMs processor time to read and compare a content
 */
export function firstPageMs({ query, readForPage, rowsMs }: Searched, s3: number, contentMs: number): number {
  const rows = rowsOfQuery(query.words).length === 0 ? 0 : s3;
  const contents = Math.min(readForPage, contentsOfRequest);
  // Among a few contents one is in the bucket, or a file's text is.
  const reads = contents === 0 ? 0 : assumedMs.dynamodb + s3;
  return callsBefore * assumedMs.dynamodb + rows + reads + (rowsMs + contents * contentMs) / processorShare;
}

export const requestsForPage = ({ readForPage }: Searched): number =>
  Math.max(1, Math.ceil(readForPage / contentsOfRequest));

export interface Design {
  readonly name: string;
  /** Dollars to index a million mails; to keep them for a month. */
  readonly indexed: number;
  readonly kept: number;
  /** Dollars and seconds of a search through 100,000 mails, and through 10 million. */
  readonly dollars: readonly [number, number] | null;
  readonly seconds: readonly [number, number] | null;
}

/** Gets to know of a mail, in its own invocation at worst, and reads what it says. */
function readingOf({ inlineShare, fileShare }: Shares): number {
  const gets = 1 - inlineShare + fileShare;
  const seconds = (2 * assumedMs.dynamodb + gets * s3Ms.from) / 1000;
  return (
    dollarsOf('invocation', million * (1 + fileShare)) +
    dollarsOf('gbSecond', million * seconds * 0.5) +
    dollarsOf('readUnit', million) +
    dollarsOf('s3Get', million * gets)
  );
}

export interface Shares {
  readonly inlineShare: number;
  readonly fileShare: number;
}

const perGb = 1e9;
const tableMonth = (bytes: number): number =>
  dollarsOf('tableGb', bytes / perGb) + dollarsOf('recoveryGb', bytes / perGb);

/** @param of [100,000 mails, 10 million] */
const both = (of: (mails: number) => number): [number, number] => [of(100_000), of(10 * million)];

/** Overhead of an item beside its attributes, bytes ("DynamoDB item sizes and formats": 100 bytes for indexing). */
const itemBytes = 100;

export function designs(measured: Measured, shares: Shares): Design[] {
  const { mails } = measured;
  const columns = measured.columns / mails;
  const words = measured.distinctWords / mails;
  const columnBytes = signatureBits / 8 + 128;
  const packed = measured.packedBytes / mails;
  const reading = readingOf(shares);
  const bucketGets = 1 - shares.inlineShare + shares.fileShare;
  // A file whose text comes later has its mail written again.
  const columnWrites = dollarsOf('writeUnit', 2 * million * columns * (1 + shares.fileShare));
  const rows = 6;
  const signatureBytes = (count: number) => count * columns * columnBytes;
  const segmentGets = (count: number) => Math.ceil(count / 100_000) * rows;
  const build = dollarsOf('gbSecond', (million * (measured.buildMs / mails) * 1.77) / 1000);
  return [
    {
      name: 'none: contents are read',
      indexed: 0,
      kept: 0,
      dollars: both((n) => dollarsOf('readUnit', n / 2) + dollarsOf('s3Get', n * bucketGets)),
      seconds: both((n) => (n * bucketGets) / s3GetsOfSecond),
    },
    {
      name: '(a) an item for each word of a mail',
      indexed: reading + dollarsOf('writeUnit', million * words),
      kept: tableMonth(million * words * (itemBytes + 90)),
      dollars: both(() => dollarsOf('readUnit', 20)),
      seconds: both(() => (4 * assumedMs.dynamodb) / 1000),
    },
    {
      name: '(b) a signature for each mail, read backwards',
      indexed: reading + columnWrites,
      kept: tableMonth(million * columns * (columnBytes + itemBytes)),
      dollars: both((n) => dollarsOf('readUnit', signatureBytes(n) / 8192)),
      seconds: both((n) => signatureBytes(n) / partitionBytesOfSecond),
    },
    {
      name: '(c) signatures, then segments of rows in S3',
      indexed:
        reading +
        columnWrites +
        dollarsOf('readUnit', (million * columns) / 4) +
        build +
        dollarsOf('s3Put', 1100),
      kept: dollarsOf('s3Gb', (million * columns * signatureBits) / 8 / perGb),
      dollars: both(
        (n) =>
          dollarsOf('s3Get', segmentGets(n) + contentsOfRequest * bucketGets) +
          dollarsOf('readUnit', contentsOfRequest),
      ),
      seconds: both((n) => (Math.ceil(segmentGets(n) / 64) * s3Ms.to + s3Ms.to) / 1000),
    },
    {
      name: '(e) compressed texts of a thousand mails each in S3',
      indexed: reading + dollarsOf('s3Put', million / 1000),
      kept: dollarsOf('s3Gb', (million * packed) / perGb),
      dollars: both((n) => dollarsOf('s3Get', n / 1000)),
      seconds: both((n) => (n * packed) / s3BytesOfSecond),
    },
    // "Amazon OpenSearch Service pricing": two OCUs at least with standby, $0.24 an hour each; a month has 730 hours.
    {
      name: '(d) OpenSearch Serverless: $350 a month at least',
      indexed: Number.NaN,
      kept: 350,
      dollars: null,
      seconds: null,
    },
    // "Amazon Aurora pricing": half a capacity unit, $0.12 an hour; paused it resumes within about 15 s.
    {
      name: '(d) Aurora Serverless v2: $44 a month at least',
      indexed: Number.NaN,
      kept: 44,
      dollars: null,
      seconds: null,
    },
  ];
}
