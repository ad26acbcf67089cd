/** `npm run simulate:pacing`: drains 100,000 held emails on virtual time; writes bench/pacing.md. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Drain, drain, drains, drainTable } from './pacing/drain.ts';

const { values } = parseArgs({ options: { emails: { type: 'string', default: '100000' } } });
const emails = Number(values.emails);

const results: Drain[] = [];
for (const one of drains) {
  results.push(await drain(one, emails));
  console.log(one.name);
}
writeFileSync(
  new URL('../bench/pacing.md', import.meta.url),
  `# Pacing on virtual time

\`npm run simulate:pacing -- --emails ${values.emails}\` runs the code of \`lib/services/pacing\` against a model of the table and of its timers. ${emails.toLocaleString('en-US')} emails are held in one workspace at once; then the
pacer runs until 1,000 have left, or for two days. A call takes 5 ms. Writes are items written, in transactions (two write units each for items up to 1 KB).

*Sorting*: calls and writes for each email until all are in the tree. *Left*: emails that left after that, in so many minutes, with the calls and writes for each of them. *Waiting*: calls a
minute in which nothing may leave.

${drainTable(results, emails)}
`,
);
