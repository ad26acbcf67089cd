/** The words and files of an email from a command line: options, a file, or stdin. */
import { readFile, stat } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { UsageError } from './terminal/exit.ts';

export const contentOptions = {
  text: { describe: 'the words; without --text, --html and --file they are read from stdin' },
  html: { describe: 'the words as html' },
  file: { describe: 'a file with the words: .html or .htm is html, anything else text' },
  attach: { array: true, describe: 'a file to attach; may be repeated' },
  schedule: { describe: 'when to send: 2027-01-31T08:00:00Z, or in so long, such as 2h' },
  'idempotency-key': { describe: 'a repetition with the same key sends nothing' },
} as const;

export interface ContentValues {
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly file?: string | undefined;
  readonly attach?: readonly string[] | undefined;
  readonly schedule?: string | undefined;
}

export interface Content {
  readonly text?: string;
  readonly html?: string;
  readonly attachments?: readonly { readonly path: string }[];
  readonly scheduled_at?: string;
}

/** An email has at most 10 MB of text, by far. */
const textBytesMax = 10 * 1024 * 1024;

/** @throws UsageError; errors of reading files */
export async function contentOf(values: ContentValues): Promise<Content> {
  const paths = values.attach ?? [];
  // Before stdin is read: a wrong name is told at once.
  for (const path of paths) await stat(path);
  return {
    ...(await wordsOf(values)),
    ...(paths.length > 0 && { attachments: paths.map((path) => ({ path })) }),
    ...(values.schedule !== undefined && { scheduled_at: timeOf(values.schedule) }),
  };
}

async function wordsOf({ text, html, file }: ContentValues): Promise<Pick<Content, 'text' | 'html'>> {
  if (file !== undefined) {
    if (text !== undefined || html !== undefined) throw new UsageError('Give --file, or --text and --html.');
    const { size } = await stat(file);
    if (size > textBytesMax)
      throw new UsageError(`${file} is too large for the words of an email: use --attach.`);
    const words = await readFile(file, 'utf8');
    return /\.html?$/i.test(file) ? { html: words } : { text: words };
  }
  if (text !== undefined || html !== undefined) {
    return { ...(text !== undefined && { text }), ...(html !== undefined && { html }) };
  }
  if (process.stdin.isTTY) throw new UsageError('The words are missing: give --text, --html or --file.');
  const words = await readText(process.stdin);
  if (words.trim() === '') throw new UsageError('The words are missing: stdin is empty.');
  return { text: words };
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws UsageError */
export function timeOf(text: string, nowMs: number = Date.now()): string {
  const [, count, unit = ''] = /^\+?(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count) return new Date(nowMs + Number(count) * (unitMs[unit] ?? 0)).toISOString();
  if (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  ) {
    return text;
  }
  throw new UsageError(
    '--schedule is a time with an offset, such as 2027-01-31T08:00:00Z, or in so long, such as 2h.',
  );
}
