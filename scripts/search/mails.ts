/** The mails that `npm run measure:search` searches: made of lines of the corpus and of documents, with words of their own. */
import { parseMime } from '../../lib/mail/message/parse-mime.ts';
import { readContent } from '../../lib/mail/signals/read-content.ts';
import { ordinaryMail } from '../../test/fixtures/signals/ordinary-mail.ts';
import { kinds, measureKind } from '../documents/measure-files.ts';
import type { Random } from '../random.ts';

/** Characters of a text: its median, and the factor of one standard deviation. */
export const textCharacters = { median: 1500, factor: 2.7, max: 200_000 } as const;
/** One mail in so many has a file, with four times its text. */
export const mailsPerFile = 10;
/** Lines that follow one another are of one message, document or language: a mail is made of so many neighbours. */
const neighbours = 300;
/** Of a mail's own lines, one in so many has a name or a number that no other mail has. */
const linesPerOwnWord = 8;

/** Lines that people wrote, each once. */
export async function writtenLines(): Promise<string[]> {
  const texts: string[] = [];
  for (const { raw } of ordinaryMail()) {
    const { text, subject } = await readContent(await parseMime(raw));
    texts.push(subject, text ?? '');
  }
  for (const kind of kinds) {
    const documents = (await measureKind(kind)).toSorted((one, other) =>
      one.document.language.localeCompare(other.document.language),
    );
    texts.push(...documents.map(({ extracted }) => extracted.text ?? ''));
  }
  return [...new Set(texts.flatMap((text) => text.split('\n')).map((line) => line.trim()))].filter(Boolean);
}

/** The sum of twelve values is nearly normal. */
function normal(random: Random): number {
  const steps = 1000;
  return Array.from({ length: 12 }, () => random.below(steps) / steps).reduce((sum, one) => sum + one, -6);
}

/** The text of a mail and of its file. */
export function mailOf(random: Random, lines: readonly string[]): string {
  const { median, factor, max } = textCharacters;
  const body = median * factor ** normal(random);
  const length = Math.min(max, random.below(mailsPerFile) === 0 ? 5 * body : body);
  const from = random.below(lines.length - neighbours);
  const parts: string[] = [];
  for (let written = 0; written < length; ) {
    const line = lines[from + random.below(neighbours)] ?? '';
    const own = random.below(linesPerOwnWord) === 0 ? ` ${random.token(4 + random.below(5))}` : '';
    parts.push(line + own);
    written += line.length + own.length + 1;
  }
  return parts.join('\n');
}
