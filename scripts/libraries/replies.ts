/** What libraries that strip quotes make of the same replies. */
import { types } from 'node:util';
import { runInNewContext } from 'node:vm';
import EmailReplyParser from 'email-reply-parser';
import * as planer from 'planer';
import { stripText } from '../../lib/mail/index.ts';
import { generateReplies } from '../../test/mail/quoting/generated/generate.ts';
import { writtenReplies } from '../../test/mail/quoting/written-cases.ts';
import { githubReplies, talonTextReplies } from '../replies/corpus-cases.ts';

export interface Stripper {
  readonly name: string;
  /** What is left of a plain-text body. */
  readonly strip: (body: string) => string;
  readonly keepsSignatures: boolean;
}

export const strippers: readonly Stripper[] = [
  { name: '`stripText`', strip: (body) => stripText(body).stripped, keepsSignatures: false },
  {
    name: 'email-reply-parser',
    strip: (body) => new EmailReplyParser().read(body).getVisibleText(),
    keepsSignatures: false,
  },
  {
    name: 'planer',
    strip: (body) => planer.extractFrom(body, 'text/plain'),
    keepsSignatures: true,
  },
];

export interface ReplyCase {
  readonly body: string;
  /** What its author wrote, without a signature. */
  readonly written: string;
  /** The same with the signature that the body has, where it is known. */
  readonly signed?: string;
}

/** Sets of plain-text replies by name. */
export async function replySets(): Promise<Readonly<Record<string, readonly ReplyCase[]>>> {
  return {
    'tests of email_reply_parser': githubReplies(),
    'tests of talon': await talonTextReplies(),
    'replies and forwards by hand': writtenReplies.map(({ text, written }) => ({ body: text, written })),
    'generated, all languages': generateReplies('heldOut')
      .filter(({ format }) => format === 'text')
      .map(({ body, written }) => ({ body, written })),
  };
}

export interface Outcome {
  readonly stripper: string;
  readonly cases: number;
  /** Exactly what the author wrote, white space aside; a library that keeps signatures may keep the one there is. */
  readonly exact: number;
  /** All words of the author, in their order. */
  readonly whole: number;
  /** Those that it had not finished after two seconds. */
  readonly unfinished: number;
  /** Nothing of the last line, which is quoted where the author wrote above the quote. */
  readonly unquoted: number;
}

export function outcomeOf({ name, strip }: Stripper, cases: readonly ReplyCase[]): Outcome {
  const stripped = cases.map((one) => ({ ...one, left: withinTwoSeconds(() => oneLine(strip(one.body))) }));
  const results = stripped.flatMap(({ left, ...one }) => (left === null ? [] : { ...one, left }));
  const count = (holds: (result: (typeof results)[number]) => boolean) => results.filter(holds).length;
  return {
    stripper: name,
    cases: cases.length,
    unfinished: cases.length - results.length,
    exact: count(({ left, written, signed }) => [written, signed ?? written].map(oneLine).includes(left)),
    whole: count(({ left, written }) => hasWordsOf(left, written)),
    unquoted: count(({ left, written, body }) => {
      const last = lastLine(body);
      return oneLine(written).includes(last) || !left.includes(last);
    }),
  };
}

/** Null where the work takes longer: an expression may backtrack without end. */
function withinTwoSeconds(work: () => string): string | null {
  try {
    return runInNewContext('work()', { work }, { timeout: 2000 });
  } catch (error) {
    if (types.isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return null;
    throw error;
  }
}

function lastLine(body: string): string {
  return oneLine(body.trim().split('\n').at(-1) ?? '').replace(/^[>\s]+/, '');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Whether the words of one text are in another, in their order. */
function hasWordsOf(text: string, words: string): boolean {
  let at = 0;
  for (const word of oneLine(words).split(' ')) {
    const found = text.indexOf(word, at);
    if (found < 0) return false;
    at = found + word.length;
  }
  return true;
}
