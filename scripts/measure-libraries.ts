/** Measures `lib/mail` beside libraries that people use for the same, and writes `bench/libraries.md`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { share, table } from './bench/figures.ts';
import { isCorpusHere } from './corpus/files.ts';
import { agrees, aspects, type Comparison } from './corpus/structure.ts';
import { compareMessages } from './libraries/messages.ts';
import { outcomeOf, type ReplyCase, replySets, strippers } from './libraries/replies.ts';
import { measureTimes, type Times } from './libraries/time.ts';

const page = join(import.meta.dirname, '../bench/libraries.md');
/** Times that each message is read by each library. */
const rounds = 9;

if (!isCorpusHere) {
  console.error('../shared/corpus is absent: nothing was measured.');
  process.exit(1);
}
const text = pageOf(await compareMessages(), await replySets(), await measureTimes(rounds));
writeFileSync(page, text);
console.log(text);

function pageOf(
  read: ReadonlyMap<string, readonly Comparison[]>,
  sets: Readonly<Record<string, readonly ReplyCase[]>>,
  times: Times,
): string {
  return `# lib/mail beside other libraries

Written by \`node scripts/measure-libraries.ts\`, which reads \`../shared/corpus\` (real messages of other projects) and replaces
this file. Versions are those of \`package.json\`.

## Messages

The messages of the mail-parser project (\`mime/stalwart\`) with its results: subject, names and addresses of From, To and Cc,
the text without white space, media types of the attachments in order (\`bench/corpus.md\` lists our differences). Messages that
the project made to be damaged have no correct result and are counted apart.

${table(
  ['Whole messages', ...aspects],
  messageRows(read, (one) => !isDamaged(one)),
)}

${table(['Damaged messages', ...aspects], messageRows(read, isDamaged))}

## Replies

Plain-text replies and forwards. *Exact*: what the author wrote, without or, where a library keeps signatures, with the
signature; white space aside. *Whole*: every word of the author is there, in its order. *Quote gone*: nothing of the last line
of the quote is left. *Not finished*: no result after two seconds. The tests of email_reply_parser and talon are the ones that the
other two libraries were written for; the last two sets are ours, though no rule was made for their words. email-reply-parser
says that it knows about ten languages; planer is about English.

${Object.entries(sets)
  .map(([name, cases]) =>
    table(
      [`${name} (${cases.length})`, 'exact', 'whole', 'quote gone', 'not finished'],
      strippers.map((stripper) => {
        const { exact, whole, unquoted, unfinished } = outcomeOf(stripper, cases);
        const shares = [exact, whole, unquoted].map((count) => share(count, cases.length));
        return [stripper.name, ...shares, String(unfinished)];
      }),
    ),
  )
  .join('\n\n')}

## Time

Every message of the corpus (${times.messages}, ${times.kilobytes.toFixed(0)} KB) is read by each in turns, ${rounds} times; the fastest counts. mailparser
reads without its conversions.

${timeTable(times)}
`;
}

function isDamaged({ folder }: Comparison): boolean {
  return folder.endsWith('malformed');
}

function messageRows(
  read: ReadonlyMap<string, readonly Comparison[]>,
  isMeant: (one: Comparison) => boolean,
): string[][] {
  return [...read].map(([library, comparisons]) => [
    library,
    ...aspects.map((aspect) => {
      const meant = comparisons.filter((one) => one.aspect === aspect && isMeant(one));
      return share(meant.filter(agrees).length, meant.length);
    }),
  ]);
}

function timeTable({ ms }: Times): string {
  const row = (what: string, spent: number) => [
    what,
    spent.toFixed(0),
    (spent / ms.mailparser).toFixed(2),
    (spent / ms['postal-mime']).toFixed(2),
  ];
  return table(
    ['Work', 'ms', 'mailparser = 1', 'postal-mime = 1'],
    [
      row('`parseMime`', ms.parse),
      row('`textOfHtml`, where there is no text', ms.text),
      row('`strip`', ms.strip),
      row('**all three**', ms.parse + ms.text + ms.strip),
      row('mailparser', ms.mailparser),
      row('postal-mime', ms['postal-mime']),
    ],
  );
}
