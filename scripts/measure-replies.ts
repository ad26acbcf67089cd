/** Compares stripping with the replies of other projects in `../shared/corpus` and writes `bench/replies.md`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Segment } from '../lib/core/email.ts';
import { parseMime } from '../lib/core/mail/parse-mime.ts';
import { stripHtml, stripText } from '../lib/core/quoting/strip.ts';
import { cpuMs, htmlStorms, plainStorms, shownMs, targetMs, tenMegabytesOf } from './ten-megabytes.ts';

const corpus = join(import.meta.dirname, '../../shared/corpus/replies');
const report = join(import.meta.dirname, '../bench/replies.md');

/** One expectation. `unquoted`: its project leaves signatures in; `written`: it takes them out as we do. */
interface Case {
  readonly folder: string;
  readonly name: string;
  readonly convention: 'written' | 'unquoted';
  readonly expected: string;
  readonly segments: readonly Segment[];
  /** What `stripped_text` says. */
  readonly stripped: string;
}

/**
 * The lines (from 1, both ends counted) that the tests of email_reply_parser take for written: their visible fragments
 * without those that they call quoted. Where a test only says how a fragment begins, its end is read off the message.
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

/** Written parts that the html of a message has and its plain text has not, or has otherwise. */
const htmlWritten: Readonly<Record<string, string>> = {
  'outlook.eml': 'Allo! Follow up MIME!',
  'sparrow.eml': 'Hello -- xxx Sent with Sparrow <http://www.sparrowmailapp.com/?sig>',
};

/** Why some of them differ and are to stay so, or where the cause lies. */
const reasons: Readonly<Record<string, string>> = {
  'reply-separated-by-hr.html': 'talon drops “Bob”, which stands above the rule and is the author’s',
};

if (!existsSync(corpus)) {
  console.error(`No corpus at ${corpus}: nothing was measured.`);
  process.exit(1);
}
const cases = [
  ...githubCases(),
  ...(await standardCases()),
  ...htmlCases(),
  ...(await sharedBlockCases()),
  ...signatureCases(),
];
const text = `${reportOn(cases)}${await stormsReport()}`;
mkdirSync(join(report, '..'), { recursive: true });
writeFileSync(report, text);
console.log(text);

function githubCases(): Case[] {
  return Object.entries(githubLines).map(([name, ranges]) => {
    const text = read('github', name);
    const lines = text.split(/\r?\n/);
    const expected = ranges.map(([from, to]) => lines.slice(from - 1, to).join('\n')).join('\n\n');
    return textCase('github', name, 'written', expected, text);
  });
}

async function standardCases(): Promise<Case[]> {
  const names = readdirSync(join(corpus, 'talon/standard_replies')).filter((name) => name.endsWith('.eml'));
  const messages = names.map(async (name) => {
    const given = join('talon/standard_replies', name.replace('.eml', '_reply_text'));
    const expected = existsSync(join(corpus, given)) ? read(given) : 'Hello';
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

function htmlCases(): Case[] {
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

async function sharedBlockCases(): Promise<Case[]> {
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

/** Bodies with the signature that is to be found: in a file of its own, or marked line by line. */
function signatureCases(): Case[] {
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
    // The first has the header of its message before it.
    const body = read(folder, 'emails/P', name).replace(/^From: [\s\S]*?\n\n/, '');
    const expected = body.split('\n').filter((line) => !/^#(?:sig|reply)#/.test(line));
    return textCase(folder, `P/${name}`, 'written', expected.join('\n'), unmark(body));
  });
  return [...stripped, ...marked];
}

function textCase(
  folder: string,
  name: string,
  convention: Case['convention'],
  expected: string,
  text: string,
): Case {
  return { folder, name, convention, expected: normalise(expected), ...stripText(text) };
}

function htmlCase(
  folder: string,
  name: string,
  convention: Case['convention'],
  expected: string,
  html: string,
): Case {
  const { segments, strippedText } = stripHtml(html);
  return { folder, name, convention, expected: oneLine(expected), segments, stripped: strippedText };
}

function isHtml({ name, folder }: Case): boolean {
  return /html/.test(folder) || /html/.test(name);
}

/** True where what we take for written (and signed, where the expectation has signatures in it) is what is expected. */
function agrees(found: Case): boolean {
  const kept = found.segments.filter(
    ({ kind }) => kind === 'written' || (kind === 'signature' && found.convention === 'unquoted'),
  );
  return same(found, kept.map(({ text }) => text).join('\n\n'));
}

function same(found: Case, text: string): boolean {
  return isHtml(found) ? oneLine(text) === found.expected : normalise(text) === found.expected;
}

/** White space at the ends of lines and blank lines in a row are no difference. */
function normalise(text: string): string {
  return text
    .replace(/[ \t\r\u00a0]+$/gm, '')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
}

/** Of html, all white space is one, as in the tests of talon. */
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

function reportOn(all: readonly Case[]): string {
  const folders = [...new Set(all.map(({ folder }) => folder))];
  const row = (label: string, found: readonly Case[]) => {
    const exact = found.filter((one) => same(one, one.stripped)).length;
    return `| ${label} | ${found.length} | ${share(found.filter(agrees).length, found.length)} | ${share(exact, found.length)} |`;
  };
  const differing = all.filter((found) => !agrees(found));
  return `# Stripping, measured

Written by \`node scripts/measure-replies.ts\`, which reads \`../shared/corpus/replies\` (real replies from the tests of
email_reply_parser and talon; see the README there) and replaces this file.

Two ways of counting. *Like for like*: talon's tests of quotes leave signatures in what they expect ("Thanks, Alex",
"Sent from my iPhone"), so that there our \`written\` and \`signature\` segments together are compared; everywhere else
\`written\` alone. *As returned*: \`stripped_text\`, which never has a signature, against the same expectation. In both,
white space at line ends and repeated blank lines do not count; in html no white space does.

The tests of email_reply_parser say of each fragment what it is; what is expected here is their visible fragments
without the quoted ones (that project shows quotes above an answer, we do not).

| Replies | Messages | Like for like | As returned |
|---|---|---|---|
${folders
  .map((folder) =>
    row(
      folder,
      all.filter((found) => found.folder === folder),
    ),
  )
  .join('\n')}
${row('**All**', all)}

## Where we differ, like for like

${differing.length === 0 ? 'Nowhere.' : differing.map(describe).join('\n\n')}
`;
}

/** What ten megabytes cost that were written to take up time. */
async function stormsReport(): Promise<string> {
  const storms = [
    ...Object.entries(plainStorms).map(([what, unit]) => ({ what: `text: ${what}`, unit, run: stripText })),
    ...Object.entries(htmlStorms).map(([what, unit]) => ({ what: `html: ${what}`, unit, run: stripHtml })),
  ];
  const rows: string[] = [];
  for (const { what, unit, run } of storms) {
    const body = tenMegabytesOf(unit);
    const [alone, headed] = [await cpuMs(() => run(body)), await cpuMs(() => run(`From: ${body}`))];
    rows.push(`| ${what} | ${shownMs(alone)} | ${shownMs(headed)} |`);
  }
  return `
## Ten megabytes

Bodies of ten megabytes that were made to take up time, in milliseconds of the processor, the fastest of three; ${targetMs} at
most. Each as it is, and behind \`From: \`, which may begin a header.

| Body | As it is | Behind \`From: \` |
|---|---:|---:|
${rows.join('\n')}
`;
}

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / whole).toFixed(0)} %)`;
}

function describe(found: Case): string {
  const seen = found.segments.map(({ kind, text }) => `${kind}: ${JSON.stringify(short(text))}`).join('; ');
  const reason = found.name in reasons ? `. Why: ${reasons[found.name]}` : '';
  return `- ${found.folder}: \`${found.name}\`: expected ${JSON.stringify(short(found.expected))}; found ${seen}${reason}`;
}

function short(text: string): string {
  return text.length <= 90 ? text : `${text.slice(0, 40)} … ${text.slice(-40)}`;
}
