/** Owns the replies of other projects in `../shared/corpus`, with what stripping must return for each. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMime } from '../../lib/mail/message/parse-mime.ts';
import { stripHtml, stripText } from '../../lib/mail/quoting/strip.ts';
import type { Segment } from '../../lib/mail/quoting/text-document.ts';

const corpus = join(import.meta.dirname, '../../../shared/corpus/replies');

/** False on machines without the corpus. */
export const isCorpusPresent = existsSync(corpus);

/** `unquoted`: the project keeps signatures; `written`: it removes them, as stripping does. */
export interface CorpusCase {
  readonly folder: string;
  readonly name: string;
  readonly convention: 'written' | 'unquoted';
  readonly expected: string;
  readonly segments: readonly Segment[];
  /** `stripped_text`. */
  readonly stripped: string;
}

/**
 * The lines (from 1, inclusive) that the tests of email_reply_parser expect: visible fragments that are not quoted. If a
 * test only checks how a fragment begins, its end is taken from the message.
 */
const githubLines: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  'correct_sig.txt': [[1, 1]],
  'email_1_1.txt': [[1, 5]],
  'email_1_2.txt': [
    [1, 1],
    [9, 34],
  ],
  'email_1_3.txt': [[1, 3]],
  'email_1_4.txt': [[1, 1]],
  'email_1_5.txt': [[1, 15]],
  'email_1_6.txt': [[1, 3]],
  'email_1_7.txt': [[1, 1]],
  'email_1_8.txt': [
    [13, 13],
    [19, 19],
  ],
  'email_2_1.txt': [[1, 1]],
  'email_2_2.txt': [[1, 1]],
  'email_2_3.txt': [[1, 1]],
  'email_BlackBerry.txt': [[1, 1]],
  'email_bullets.txt': [[1, 9]],
  'email_iPhone.txt': [[1, 1]],
  'email_long_quote.txt': [
    [1, 4],
    [6, 8],
  ],
  'email_multi_word_sent_from_my_mobile_device.txt': [[1, 1]],
  'email_one_is_not_on.txt': [[1, 5]],
  'email_sent_from_my_not_signature.txt': [[1, 3]],
  'email_sig_delimiter_in_middle_of_line.txt': [[1, 7]],
  'greedy_on.txt': [[1, 6]],
  'pathological.txt': [[1, 2]],
};

/** Expected text of html that differs from the expected plain text. */
const htmlWritten: Readonly<Record<string, string>> = {
  'outlook.eml': 'Allo! Follow up MIME!',
  'sparrow.eml': 'Hello -- xxx Sent with Sparrow <http://www.sparrowmailapp.com/?sig>',
};

/** Accepted differences, with the reason. */
export const reasons: Readonly<Record<string, string>> = {
  'reply-separated-by-hr.html': 'talon drops “Bob”, which the author wrote above the rule',
};

/** Every reply of the corpus, in a fixed order. */
export async function corpusCases(): Promise<CorpusCase[]> {
  return [
    ...githubCases(),
    ...(await standardCases()),
    ...htmlCases(),
    ...(await sharedBlockCases()),
    ...signatureCases(),
  ];
}

/** The plain-text replies of email_reply_parser, with what its author wrote. */
export function githubReplies(): { name: string; body: string; written: string }[] {
  return Object.entries(githubLines).map(([name, ranges]) => {
    const body = read('github', name);
    const lines = body.split(/\r?\n/);
    const written = ranges.map(([from, to]) => lines.slice(from - 1, to).join('\n')).join('\n\n');
    return { name, body, written };
  });
}

function githubCases(): CorpusCase[] {
  return githubReplies().map(({ name, body, written }) => textCase('github', name, 'written', written, body));
}

/** The plain-text replies of talon; its author wrote one word, above the signature of some programs. */
export async function talonTextReplies(): Promise<{ body: string; written: string; signed: string }[]> {
  const replies = standardNames().map(async (name) => {
    const { text } = await parseMime(readBytes('talon/standard_replies', name));
    return { body: text ?? '', written: 'Hello', signed: standardText(name) };
  });
  return await Promise.all(replies);
}

function standardNames(): string[] {
  return readdirSync(join(corpus, 'talon/standard_replies')).filter((name) => name.endsWith('.eml'));
}

function standardText(name: string): string {
  const given = join('talon/standard_replies', name.replace('.eml', '_reply_text'));
  return existsSync(join(corpus, given)) ? read(given) : 'Hello';
}

async function standardCases(): Promise<CorpusCase[]> {
  const messages = standardNames().map(async (name) => {
    const expected = standardText(name);
    const { text, html } = await parseMime(readBytes('talon/standard_replies', name));
    const found = [textCase('talon/standard_replies, text', name, 'unquoted', expected, text ?? '')];
    if (html !== null) {
      found.push(
        htmlCase('talon/standard_replies, html', name, 'unquoted', htmlWritten[name] ?? expected, html),
      );
    }
    return found;
  });
  return (await Promise.all(messages)).flat();
}

function htmlCases(): CorpusCase[] {
  const replies = readdirSync(join(corpus, 'talon/html_replies')).map((name) =>
    htmlCase(
      'talon/html_replies',
      name,
      'unquoted',
      'Hi. I am fine. Thanks, Alex',
      read('talon/html_replies', name),
    ),
  );
  const others = [
    ['OLK_SRC_BODY_SECTION.html', 'Reply'],
    ['reply-separated-by-hr.html', 'Hi there'],
  ].map(([name = '', expected = '']) =>
    htmlCase('talon, single files', name, 'unquoted', expected, read('talon', name)),
  );
  return [...replies, ...others];
}

async function sharedBlockCases(): Promise<CorpusCase[]> {
  const name = 'reply-quotations-share-block.eml';
  const message = await parseMime(readBytes('talon', name));
  const [text, html] = [message.text ?? '', message.html ?? ''];
  const folder = 'talon, single files';
  return [
    textCase(folder, `${name} (text)`, 'unquoted', text.slice(0, text.indexOf('--- On')), text),
    htmlCase(
      folder,
      `${name} (html)`,
      'unquoted',
      text.slice(0, text.indexOf('--- On')).replace('Joe XXX', 'Jhon Doe'),
      html,
    ),
  ];
}

/** Bodies with their signature in a file of its own, or marked line by line. */
function signatureCases(): CorpusCase[] {
  const folder = 'talon/signature';
  const stripped = readdirSync(join(corpus, folder, 'emails/stripped'))
    .filter((name) => name.endsWith('_body'))
    .map((name) => {
      const body = unmark(read(folder, 'emails/stripped', name)).trim();
      const given = join(folder, 'emails/stripped', name.replace('_body', '_signature'));
      const signature = existsSync(join(corpus, given)) ? unmark(read(given)).trim() : '';
      return textCase(
        folder,
        `stripped/${name}`,
        'written',
        body.slice(0, body.length - signature.length),
        body,
      );
    });
  const marked = ['102682_R_S', 'johndoeexamplecom_body'].map((name) => {
    // The first begins with the header of its message.
    const body = read(folder, 'emails/P', name).replace(/^From: [\s\S]*?\n\n/, '');
    const expected = body.split('\n').filter((line) => !/^#(?:sig|reply)#/.test(line));
    return textCase(folder, `P/${name}`, 'written', expected.join('\n'), unmark(body));
  });
  return [...stripped, ...marked];
}

function textCase(
  folder: string,
  name: string,
  convention: CorpusCase['convention'],
  expected: string,
  text: string,
): CorpusCase {
  return { folder, name, convention, expected: normalise(expected), ...stripText(text) };
}

function htmlCase(
  folder: string,
  name: string,
  convention: CorpusCase['convention'],
  expected: string,
  html: string,
): CorpusCase {
  const { segments, strippedText } = stripHtml(html);
  return { folder, name, convention, expected: oneLine(expected), segments, stripped: strippedText };
}

function isHtml({ name, folder }: CorpusCase): boolean {
  return /html/.test(folder) || /html/.test(name);
}

/** True if the written segments (and signatures, if the project keeps them) are what the project expects. */
export function agrees(found: CorpusCase): boolean {
  const kept = found.segments.filter(
    ({ kind }) => kind === 'written' || (kind === 'signature' && found.convention === 'unquoted'),
  );
  return same(found, kept.map(({ text }) => text).join('\n\n'));
}

export function same(found: CorpusCase, text: string): boolean {
  return isHtml(found) ? oneLine(text) === found.expected : normalise(text) === found.expected;
}

/** Ignores white space at line ends and repeated blank lines. */
function normalise(text: string): string {
  return text
    .replace(/[ \t\r\u00a0]+$/gm, '')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
}

/** Ignores white space, as the tests of talon do for html. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function unmark(text: string): string {
  return text.replace(/^#(?:sig|reply)#/gm, '');
}

function read(...path: string[]): string {
  return readFileSync(join(corpus, ...path), 'utf8');
}

function readBytes(...path: string[]): Uint8Array {
  return readFileSync(join(corpus, ...path));
}
