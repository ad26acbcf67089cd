/** Time that each library takes for the messages of the corpus. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';
import { parseMime, strip, textOfHtml } from '../../lib/mail/index.ts';
import { corpus, messagesUnder } from '../corpus/files.ts';

export interface Times {
  readonly messages: number;
  readonly kilobytes: number;
  /** Milliseconds for all messages, each at its fastest: what else the machine does only ever adds. */
  readonly ms: Readonly<Record<Work, number>>;
}

const works = ['parse', 'text', 'strip', 'mailparser', 'postal-mime'] as const;
export type Work = (typeof works)[number];

/** mailparser's own additions to a message are left out: they are no part of reading it. */
export const readingOnly = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
};

/** @param rounds how often each message is read by each, in turns */
export async function measureTimes(rounds: number): Promise<Times> {
  const raws = messagesUnder('.').map((file) => readFileSync(join(corpus, file)));
  const fastest = raws.map(
    (): Record<Work, number> => ({
      parse: Number.POSITIVE_INFINITY,
      text: Number.POSITIVE_INFINITY,
      strip: Number.POSITIVE_INFINITY,
      mailparser: Number.POSITIVE_INFINITY,
      'postal-mime': Number.POSITIVE_INFINITY,
    }),
  );
  for (let round = 0; round < rounds; round++) {
    for (const [at, raw] of raws.entries()) {
      const times = await timesOf(raw);
      const best = fastest[at];
      if (best) for (const work of works) best[work] = Math.min(best[work], times[work]);
    }
  }
  const total = (work: Work) => fastest.reduce((sum, times) => sum + times[work], 0);
  return {
    messages: raws.length,
    kilobytes: raws.reduce((sum, { length }) => sum + length, 0) / 1024,
    ms: {
      parse: total('parse'),
      text: total('text'),
      strip: total('strip'),
      mailparser: total('mailparser'),
      'postal-mime': total('postal-mime'),
    },
  };
}

async function timesOf(raw: Buffer): Promise<Record<Work, number>> {
  const [parse, message] = await timed(() => parseMime(raw));
  const [text] = await timed(() => message.text ?? textOfHtml(message.html ?? ''));
  const [stripping] = await timed(() => strip(message));
  const [mailparser] = await timed(() => simpleParser(raw, readingOnly).catch(() => null));
  const [postalMime] = await timed(() => new PostalMime().parse(raw).catch(() => null));
  return { parse, text, strip: stripping, mailparser, 'postal-mime': postalMime };
}

/** Milliseconds, and the result. */
async function timed<T>(work: () => T | Promise<T>): Promise<[number, T]> {
  const startedAt = performance.now();
  const result = await work();
  return [performance.now() - startedAt, result];
}
