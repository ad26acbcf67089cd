/** Measures stripping on generated replies and on the corpus of other projects, and writes `bench/replies.md`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripHtml, stripText } from '../lib/core/quoting/strip.ts';
import {
  agrees,
  type CorpusCase,
  corpusCases,
  isCorpusPresent,
  reasons,
  same,
} from './replies/corpus-cases.ts';
import { generatedReport, share } from './replies/generated-report.ts';
import { type WrittenReply, writtenReplies } from './replies/written-cases.ts';
import { cpuMs, htmlStorms, plainStorms, shownMs, targetMs, tenMegabytesOf } from './ten-megabytes.ts';

const report = join(import.meta.dirname, '../bench/replies.md');

const head = `# Stripping, measured

Written by \`node scripts/measure-replies.ts\`.
`;
const text = [
  head,
  generatedReport(),
  writtenReport(writtenReplies),
  isCorpusPresent ? corpusReport(await corpusCases()) : '',
  await stormsReport(),
].join('');
mkdirSync(join(report, '..'), { recursive: true });
if (isCorpusPresent) writeFileSync(report, text);
else console.error('No corpus at ../shared/corpus/replies: bench/replies.md stays as it is.');
console.log(text);

function writtenReport(all: readonly WrittenReply[]): string {
  const isExact = ({ text: body, written }: WrittenReply) => stripText(body).stripped.trim() === written;
  const rows = [...new Set(all.map(({ language }) => language)), '**All**'].map((language) => {
    const of = all.filter((one) => language === '**All**' || one.language === language);
    const cells = (['reply', 'forward'] as const).map((kind) => {
      const cases = of.filter((one) => one.kind === kind);
      return share(cases.filter(isExact).length, cases.length);
    });
    return `| ${language} | ${cells.join(' | ')} |`;
  });
  const wrong = all.filter((one) => !isExact(one)).map(({ language, kind }) => `${language} ${kind}`);
  return `
## Written replies

\`scripts/replies/written-cases.ts\`: a colloquial reply and a forward in each language, written by hand in the manner of mail from
phones after the rules were done. No rule was changed for them: the first look gave the same figures.

| Language | Replies | Forwards |
|---|---:|---:|
${rows.join('\n')}

Still wrong: ${wrong.join(', ') || 'none'}.
`;
}

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
