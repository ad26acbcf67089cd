/** Measures stripping on the corpus of other projects, and writes `bench/replies.md`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripHtml, stripText } from '../lib/mail/quoting/strip.ts';
import { share } from './bench/figures.ts';
import {
  agrees,
  type CorpusCase,
  corpusCases,
  isCorpusPresent,
  reasons,
  same,
} from './replies/corpus-cases.ts';
import { cpuMs, htmlStorms, plainStorms, shownMs, targetMs, tenMegabytesOf } from './ten-megabytes.ts';

const report = join(import.meta.dirname, '../bench/replies.md');

const head = `# Stripping, measured

Written by \`node scripts/measure-replies.ts\`. Generated and hand-written replies in twenty languages are tests
(\`test/mail/quoting/generated-replies.test.ts\`, \`written-replies.test.ts\`): all are stripped exactly.

## Known limits

By design or for lack of a sign:

- A title without a full stop in a last paragraph of its own ("Responsable commerciale") counts as a sentence: in doubt,
  words are kept.
- A short fragment without a verb or full stop that directly follows the name or contact data in the same paragraph
  ("plus the manual") counts as part of the signature.
- Text in the same paragraph as a "-- " delimiter belongs to the signature (RFC 3676, section 4.3).
- Answers below an unmarked quote in plain text are not separated from the quote.
`;
/** Measured once, on data that is not in this repository. */
const unseenReport = `
## Unseen replies of other projects

Measured once, on test data that this project had not seen before. The data is not in this repository, so \`node
scripts/measure-replies.ts\` does not measure it again. *First look* is the figure before any rule was changed, *after* the one after the rules
were mended; each rule has tests of its own. What a project expects to remain was labelled before the first look; it is compared with the
written segments, or with written and signature segments where the project keeps signatures. White space does not count. Messages in other
languages than the first fifteen are left out.

| Set | Messages | First look | After |
|---|---:|---:|---:|
| customer service: crisp-oss/email-reply-parser (MIT, 55), EdgeTier/email-reply-parser (MIT, 51) | 106 | 87 (82.1 %) | 99 (93.4 %) |
| forum: discourse/discourse (GPL-2.0, 12), discourse/email_reply_trimmer (MIT, 19, and 24 attributions of its sources) | 55 | 50 (90.9 %) | 52 (94.5 %) |
| languages: alfonsrv/mail-parser-reply (MIT, 27), closeio/quotequail (MIT, 26) | 53 | 48 (90.6 %) | 52 (98.1 %) |
| forwards: crisp-oss/email-forward-parser (MIT), 88 messages, bare and below a note | 176 | 172 (97.7 %) | 176 (100 %) |
| second look: five smaller projects, read after the rules above were mended | 39 | 23 (59.0 %) | 35 (89.7 %) |

The second look shows what to expect of mail of systems that nobody has looked at. Twenty of its messages combine five signatures with four
quotes, so few causes weigh much: twelve misses are three signatures (contact data below a list, "-Ann Lee" below a list, a company of
several paragraphs), two a name alone above contact data, two a closing in dialect. Its sources are hellogustav/elixir_email_reply_parser,
fiedl/extended_email_reply_parser, t2bot/node-email-reply-parser, chatwoot/chatwoot and web-ridge/email-reply-parser.

A third look at sixteen messages of zapier/email-reply-parser and willdurand/EmailReplyParser (MIT), with no rule changed for them: the quote was
found in all sixteen, and no word of an author was lost. Ten were exact; in five the name of the author, alone in the last line, was kept,
since a word alone may be an answer; in one a signature with sentences of its own was kept.

Still wrong:

- a rule with a name below it, without contact data (Chinese);
- text below the footer of an app, which is kept on purpose: people write there;
- the alternative text of an image, and the registration of a British company, in a signature;
- an answer below a quote that has no marks (see the known limits);
- slogans of whole sentences below a signature, and a closing between asterisks;
- "Salud" alone as a closing, which is also the Spanish word for health;
- Dutch signatures of several paragraphs.
`;

const text = [
  head,
  isCorpusPresent ? corpusReport(await corpusCases()) : '',
  unseenReport,
  await stormsReport(),
].join('');
mkdirSync(join(report, '..'), { recursive: true });
if (isCorpusPresent) writeFileSync(report, text);
else console.error('No corpus at ../shared/corpus/replies: bench/replies.md stays as it is.');
console.log(text);

function corpusReport(all: readonly CorpusCase[]): string {
  const folders = [...new Set(all.map(({ folder }) => folder))];
  const row = (label: string, found: readonly CorpusCase[]) => {
    const exact = found.filter((one) => same(one, one.stripped)).length;
    return `| ${label} | ${found.length} | ${share(found.filter(agrees).length, found.length)} | ${share(exact, found.length)} |`;
  };
  const differing = all.filter((found) => !agrees(found));
  return `
## Replies of other projects

\`../shared/corpus/replies\`: the tests of email_reply_parser and talon. *Like for like*: talon keeps signatures ("Thanks,
Alex") in what it expects, so there the written and signature segments are compared; elsewhere the written ones. *As
returned*: \`stripped_text\`, which has no signature, against the same expectation. White space at line ends and repeated
blank lines do not count; in html no white space does.

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

Still different, like for like:

${differing.length === 0 ? 'Nothing.' : differing.map(describe).join('\n\n')}
`;
}

/** Processor time of adversarial bodies of ten megabytes. */
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

Processor time of adversarial bodies of ten megabytes, in milliseconds, the fastest of three; at most ${targetMs}. Each is
measured as it is and behind \`From: \`, which may begin a header block.

| Body | As it is | Behind \`From: \` |
|---|---:|---:|
${rows.join('\n')}
`;
}

function describe(found: CorpusCase): string {
  const seen = found.segments.map(({ kind, text }) => `${kind}: ${JSON.stringify(short(text))}`).join('; ');
  const reason = found.name in reasons ? `. Why: ${reasons[found.name]}` : '';
  return `- ${found.folder}: \`${found.name}\`: expected ${JSON.stringify(short(found.expected))}; found ${seen}${reason}`;
}

function short(text: string): string {
  return text.length <= 90 ? text : `${text.slice(0, 40)} … ${text.slice(-40)}`;
}
