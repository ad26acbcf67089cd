/** What the table carries at once, without growing first (docs/scaling.md#prewarming). */
import { unitsOfEmail } from '../../lib/core/work/worker-load.ts';
import { type Check, deploymentOf, type Finding, ok } from './check.ts';
import { describeTable } from './describe-table.ts';

export const tableThroughput: Check = {
  title: 'Table',
  needs: 'deployment',
  async examine(examined) {
    const table = await describeTable(deploymentOf(examined).names);
    const { ReadUnitsPerSecond: read, WriteUnitsPerSecond: write } = table?.WarmThroughput ?? {};
    return throughputFindings(read && write ? { read, write } : null);
  },
};

/** @param warm units a second of the table; null where AWS names none */
export function throughputFindings(
  warm: { readonly read: number; readonly write: number } | null,
): Finding[] {
  if (!warm) return [ok('AWS names no throughput of the table.')];
  const { read, write } = unitsOfEmail.table;
  const emails = Math.floor(Math.min(warm.read / read, warm.write / write));
  return [
    ok(
      `The table takes ${warm.write} write and ${warm.read} read units at once: about ${emails} emails a second. It grows ` +
        'with its load; prewarmEmailsPerSecond raises it before.',
    ),
  ];
}
