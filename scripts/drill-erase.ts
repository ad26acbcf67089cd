/**
 * Measures `person erase` in the local cloud (docs/concepts/deletion.md#erasing-a-person); writes `bench/erase.md`.
 *
 *   node scripts/drill-erase.ts --emails 2000
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { renderErasure } from './erase/page.ts';
import { type Measured, measure } from './erase/run.ts';

const usage = `Usage: npm run drill:erase -- [options]

  --emails N     emails of the person, from 1000, default 2000
  --plain        counts no units, and lets no worker run; prints the outcome as JSON, and writes no page
  --beside FILE  an outcome of --plain, which the page shows, too
  --help

100,000 emails: npm run drill:erase -- --emails 100000 --plain > large.json, an hour;
then npm run drill:erase -- --beside large.json.`;

const { values } = parseArgs({
  options: {
    emails: { type: 'string', default: '2000' },
    plain: { type: 'boolean', default: false },
    beside: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else await main();

async function main(): Promise<void> {
  const emails = Number(values.emails);
  if (!Number.isSafeInteger(emails) || emails < 1000) {
    throw new Error('--emails takes a whole number from 1000');
  }
  const large =
    values.beside === undefined ? null : (JSON.parse(readFileSync(values.beside, 'utf8')) as Measured);
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  const measured = await measure({ emails, isMetered: !values.plain, removes: !values.plain }, progress);
  const { removal } = measured;
  if (!removal) return console.log(JSON.stringify(measured));
  const page = join(import.meta.dirname, '../bench/erase.md');
  const beside = large ? ' --beside large.json' : '';
  const command = `npm run drill:erase -- --emails ${emails}${beside}`;
  writeFileSync(page, renderErasure({ ...measured, removal }, large, command));
}
