/** Searches generated mails by signatures and one by one, segment by segment, newest first. */
import { zstdCompressSync } from 'node:zlib';
import { compress, decompress } from '../../lib/storage/table/compressed-text.ts';
import { type Random, seeded } from '../random.ts';
import { containsAll, fold, wordsOf } from './grams.ts';
import { mailOf, writtenLines } from './mails.ts';
import { type Query, queriesOf } from './queries.ts';
import { candidates, columnsOf, rowsOfQuery, segmentOf } from './signatures.ts';

/** Emails that a page has at most by default. */
const pageEmails = 40;

/** What one query met in all mails. */
export interface Searched {
  readonly query: Query;
  hits: number;
  candidates: number;
  /** Mails that a search one by one finds, and signatures do not. */
  lost: number;
  /** Candidates, newest first, until a page is full. */
  readForPage: number;
  /** Processor time of all rows. */
  rowsMs: number;
}

export interface Measured {
  readonly mails: number;
  readonly segments: number;
  readonly columns: number;
  /** Bits that are set. */
  readonly grams: number;
  readonly characters: number;
  readonly distinctWords: number;
  /** Mails whose content is in the table. */
  readonly inline: number;
  /** Bytes of the texts of a run of a thousand mails, compressed together, of all mails. */
  readonly packedBytes: number;
  /** Processor time of all signatures and segments. */
  readonly buildMs: number;
  /** The same to read and compare all contents. */
  readonly contentsMs: number;
  readonly searched: readonly Searched[];
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function timed<T>(work: () => T): { readonly result: T; readonly ms: number } {
  const from = cpuMs();
  return { result: work(), ms: cpuMs() - from };
}

/** As `lib/storage/emails/email-content.ts` stores it; HTML and segments repeat the text. */
const inlineBytesMax = 4000;

interface StoredAs {
  readonly isInline: boolean;
  /** Processor time to read and compare it. */
  readonly ms: number;
}

function storedAs(text: string): StoredAs {
  const json = Buffer.from(JSON.stringify({ text, html: text, segments: [text] }));
  const brotli = compress(json);
  const { ms } = timed(() => {
    const content: { readonly text: string } = JSON.parse(brotli ? decompress(brotli) : json.toString());
    return containsAll(fold(content.text), ['zzzzzz']);
  });
  return { isInline: (brotli ?? json).length <= inlineBytesMax, ms };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Bytes of runs of a thousand texts, compressed together. */
function packedBytesOf(folded: readonly string[]): number {
  const runs = Array.from({ length: Math.ceil(folded.length / 1000) }, (_, at) =>
    zstdCompressSync(folded.slice(1000 * at, 1000 * (at + 1)).join('\n')),
  );
  return sum(runs.map(({ length }) => length));
}

function search(searched: Searched, folded: readonly string[], segment: ReturnType<typeof segmentOf>): void {
  const { words } = searched.query;
  const { result, ms } = timed(() => candidates(segment, rowsOfQuery(words)));
  searched.rowsMs += ms;
  const found = new Set(result);
  for (const mail of result.toReversed()) {
    if (searched.hits < pageEmails) searched.readForPage++;
    if (containsAll(folded[mail] ?? '', words)) searched.hits++;
  }
  searched.candidates += result.length;
  searched.lost += folded.filter((text, mail) => !found.has(mail) && containsAll(text, words)).length;
}

function segmentMails(random: Random, lines: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => mailOf(random, lines));
}

/** Makes and searches mails. Their texts are in memory for one segment at a time. */
export async function measure(options: {
  readonly seed: number;
  readonly segments: number;
  readonly mailsOfSegment: number;
  readonly queriesOfKind: number;
}): Promise<Measured> {
  const { seed, segments, mailsOfSegment, queriesOfKind } = options;
  const lines = await writtenLines();
  const random = seeded(seed);
  const searched: Searched[] = [];
  const totals = {
    columns: 0,
    grams: 0,
    characters: 0,
    distinctWords: 0,
    inline: 0,
    packedBytes: 0,
    buildMs: 0,
    contentsMs: 0,
  };
  for (let at = 0; at < segments; at++) {
    const texts = segmentMails(random, lines, mailsOfSegment);
    const folded = texts.map(fold);
    if (at === 0) {
      const queries = queriesOf(seeded(seed + 1), folded, queriesOfKind);
      const none = { hits: 0, candidates: 0, lost: 0, readForPage: 0, rowsMs: 0 };
      searched.push(...queries.map((query) => ({ query, ...none })));
    }
    const { result: columns, ms: columnsMs } = timed(() => folded.map(columnsOf));
    const { result: segment, ms: segmentMs } = timed(() => segmentOf(columns));
    totals.columns += columns.flat().length;
    totals.grams += sum(columns.flat().map(({ length }) => length));
    totals.characters += sum(texts.map(({ length }) => length));
    totals.distinctWords += sum(folded.map((text) => new Set(wordsOf(text)).size));
    const sample = texts.filter((_, mail) => mail % 10 === 0);
    const stored = sample.map(storedAs);
    totals.inline += 10 * stored.filter(({ isInline }) => isInline).length;
    totals.contentsMs += 10 * sum(stored.map(({ ms }) => ms));
    totals.packedBytes += packedBytesOf(folded);
    totals.buildMs += columnsMs + segmentMs;
    for (const one of searched) search(one, folded, segment);
  }
  return { mails: segments * mailsOfSegment, segments, ...totals, searched };
}
