/**
 * Drills of the loss of the home region on the local cloud (docs/regions.md); writes `bench/regions.md`.
 *
 *   node scripts/drill-region.ts --runs 20 --seed 1
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { renderRegionDrills } from './region/page.ts';
import { runRegionDrill } from './region/run-drill.ts';
import { drillNumbers, drillsOf } from './restore/drills.ts';

const usage = `Usage: npm run drill:region -- [options]

  --runs N         drills, each with a moment of its own, default 20
  --seed N         of the first, default 1
  --actions N      actions before the lag and after the take-over, default 40
  --lag-actions N  actions within the lag, default 12
  --json           print the outcomes, and write no page
  --help`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    actions: { type: 'string', default: '40' },
    'lag-actions': { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else await main();

async function main(): Promise<void> {
  const numbers = drillNumbers(values, ['runs', 'actions', 'lag-actions']);
  const { runs, seed, actions, 'lag-actions': lagActions } = numbers;
  const outcomes = await drillsOf(numbers, values.json, (of) =>
    runRegionDrill({ seed: of, actions, lagActions }),
  );
  if (values.json) return console.log(JSON.stringify(outcomes));
  const command = `--runs ${runs} --seed ${seed} --actions ${actions} --lag-actions ${lagActions}`;
  writeFileSync(join(import.meta.dirname, '../bench/regions.md'), renderRegionDrills(outcomes, command));
}
