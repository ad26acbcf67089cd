/**
 * Drills of a restore of the table on the local cloud (docs/restoring.md); writes `bench/restore.md`.
 *
 *   node scripts/drill-restore.ts --runs 20 --seed 1
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drillNumbers, drillsOf } from './restore/drills.ts';
import { renderDrills } from './restore/page.ts';
import { runDrill } from './restore/run-drill.ts';

const usage = `Usage: npm run drill:restore -- [options]

  --runs N      drills, each with a moment of its own, default 20
  --seed N      of the first, default 1
  --actions N   actions in each third of the load, default 60
  --controls N  drills without a reconciliation, default 0
  --json        print the outcomes, and write no page
  --help`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    actions: { type: 'string', default: '60' },
    controls: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else await main();

async function main(): Promise<void> {
  const { runs, actions, seed } = drillNumbers(values, ['runs', 'actions']);
  const controls = Number(values.controls);
  const drill = (count: number, isReconciled: boolean) =>
    drillsOf({ runs: count, seed }, values.json, (of) => runDrill({ seed: of, actions, isReconciled }));
  const outcomes = await drill(runs, true);
  const control = await drill(controls, false);
  if (values.json) return console.log(JSON.stringify(outcomes));
  const page = join(import.meta.dirname, '../bench/restore.md');
  const isControlled = controls > 0 ? ` --controls ${controls}` : '';
  const command = `--runs ${runs} --seed ${seed} --actions ${actions}${isControlled}`;
  writeFileSync(page, renderDrills(outcomes, control, command));
}
