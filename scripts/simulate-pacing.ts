/** `npm run simulate:pacing`: drains 100,000 held emails on virtual time; writes bench/pacing.md. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Drain, drain, drains } from './pacing/drain.ts';

const { values } = parseArgs({ options: { emails: { type: 'string', default: '100000' } } });
const emails = Number(values.emails);

const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });

function row({ name, sorting, steady, idle }: Drain): string {
  const cells = [
    name,
    number(sorting.calls / emails, 2),
    number(sorting.writes / emails, 2),
    number(steady.released),
    number(steady.minutes),
    number(steady.calls / steady.released, 1),
    number(steady.writes / steady.released, 1),
    number(idle.calls, 2),
  ];
  return `| ${cells.join(' | ')} |`;
}

const rows: string[] = [];
for (const one of drains) {
  const result = await drain(one, emails);
  rows.push(row(result));
  console.log(rows.at(-1));
}
writeFileSync(
  new URL('../bench/pacing.md', import.meta.url),
  `# Pacing on virtual time

\`npm run simulate:pacing -- --emails ${values.emails}\` runs the code of \`lib/services/pacing\` against a model of the table and of its timers. ${number(emails)} emails are held in one workspace at once; then the
pacer runs until ${number(1000)} have left, or for two days. A call takes 5 ms. Writes are items written, in transactions (two write units each for items up to 1 KB).

*Sorting*: calls and writes for each email until all are in the tree. *Left*: emails that left after that, in so many minutes, with the calls and writes for each of them. *Waiting*: calls a
minute in which nothing may leave.

| Rules | Sorting: calls | writes | Left | Minutes | Calls each | Writes each | Waiting |
|---|---:|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}
`,
);
