/** Messages with the category that a person gave them (`messages/*.txt`), and what `categorize` says of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Category, categories } from '../../../lib/mail/category/categories.ts';
import { categorize } from '../../../lib/mail/category/category.ts';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { strip } from '../../../lib/mail/quoting/strip.ts';
import { mailPrograms } from './mail-programs.ts';

export const messageSets = ['held-apart', 'worked-on'] as const;

/**
 * A message of a set. A file begins each one with `=== <category> [ours] [verdict]: <note>`: `ours` is an answer to mail of ours,
 * `verdict` a failed spam check. Headers follow; `@gmail` stands for those of a program (mail-programs.ts).
 */
export interface LabelledMessage {
  readonly label: Category;
  readonly note: string;
  readonly answersOurs: boolean;
  readonly spam: string | null;
  readonly raw: string;
}

export function labelledMessages(set: (typeof messageSets)[number]): LabelledMessage[] {
  const file = readFileSync(join(import.meta.dirname, 'messages', `${set}.txt`), 'utf8');
  return file
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.trimEnd().split('\n');
      const [sign = '', ...note] = head.split(': ');
      const [label, ...marks] = sign.split(' ');
      const known = categories.find((category) => category === label);
      if (known === undefined) throw new Error(`No category: ${head}`);
      return {
        label: known,
        note: note.join(': '),
        answersOurs: marks.includes('ours'),
        spam: marks.includes('verdict') ? 'FAIL' : 'PASS',
        raw: rawMessage(lines),
      };
    });
}

/** What `categorize` says of the message, read as the receiving service reads it. */
export async function categoryOf({ raw, spam, answersOurs }: LabelledMessage): Promise<Category> {
  const message = await parseMime(Buffer.from(raw));
  const { strippedText } = strip({ text: message.text, html: message.html });
  return categorize({ ...message, verdicts: { spam }, writtenText: strippedText, answersOurs });
}

function rawMessage(lines: readonly string[]): string {
  const end = lines.indexOf('');
  const headers = lines.slice(0, end).flatMap((line) => {
    const program = /^@(\S+)$/.exec(line)?.[1];
    return program === undefined ? [line] : programHeaders(program);
  });
  // A header that the message writes itself stands before the one of its program.
  const own = lines.slice(0, end).filter((line) => !line.startsWith('@'));
  const isOwn = (header: string) => own.some((line) => nameOf(line) === nameOf(header));
  const kept = headers.filter((header) => own.includes(header) || !isOwn(header));
  return [...kept, 'MIME-Version: 1.0', '', bodyOf(kept, lines.slice(end + 1).join('\n'))].join('\n');
}

function programHeaders(program: string): readonly string[] {
  const headers = mailPrograms[program];
  if (headers === undefined) throw new Error(`No mail program: ${program}`);
  return headers;
}

function nameOf(header: string): string {
  return header.slice(0, header.indexOf(':')).toLowerCase();
}

/** The text as the only part of a multipart message, unless it has parts already. */
function bodyOf(headers: readonly string[], text: string): string {
  const type = headers.find((header) => nameOf(header) === 'content-type') ?? '';
  const boundary = /multipart\/.*boundary="([^"]+)"/i.exec(type)?.[1];
  if (boundary === undefined || text.includes(`--${boundary}`)) return text;
  return `--${boundary}\nContent-Type: text/plain; charset=utf-8\n\n${text}\n--${boundary}--`;
}
