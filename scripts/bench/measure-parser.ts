/** Measures our parser and stripping beside mailparser on the corpus of real messages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { type ParsedMessage, parseMime } from '../../lib/mail/message/parse-mime.ts';
import { strip } from '../../lib/mail/quoting/strip.ts';
import { corpus, isCorpusHere, messagesUnder } from '../corpus/files.ts';

export interface ParserFigures {
  readonly messages: number;
  readonly kilobytes: number;
  /** For the whole corpus, each message at its fastest: what else the machine does only ever adds. */
  readonly oursMs: number;
  /** The division into written, quoted and signature, on top. */
  readonly strippingMs: number;
  readonly mailparserMs: number;
  /** Messages that mailparser gives up on. */
  readonly mailparserFailures: number;
}

/** mailparser's own additions to a message are left out: they are no part of reading it. */
const readingOnly = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
};

/** Null where there is no corpus. @param rounds how often each message is read by each, in turns */
export async function measureParser(rounds: number): Promise<ParserFigures | null> {
  if (!isCorpusHere) return null;
  const raws = messagesUnder('.').map((file) => readFileSync(join(corpus, file)));
  const ours = raws.map(() => Number.POSITIVE_INFINITY);
  const theirs = [...ours];
  const stripping = [...ours];
  const failed = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    for (const [at, raw] of raws.entries()) {
      let message: ParsedMessage | undefined;
      const read = async () => {
        message = await parseMime(raw);
      };
      ours[at] = Math.min(ours[at] ?? 0, await timeOf(read));
      const divide = async () => message && strip(message);
      stripping[at] = Math.min(stripping[at] ?? 0, await timeOf(divide));
      const parse = () => simpleParser(raw, readingOnly).catch(() => failed.add(at));
      theirs[at] = Math.min(theirs[at] ?? 0, await timeOf(parse));
    }
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    messages: raws.length,
    kilobytes: sum(raws.map(({ length }) => length)) / 1024,
    oursMs: sum(ours),
    strippingMs: sum(stripping),
    mailparserMs: sum(theirs),
    mailparserFailures: failed.size,
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
