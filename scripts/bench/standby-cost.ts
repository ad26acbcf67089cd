/** What a standby region adds to the bill of a month (docs/regions.md), and what copies of backups would cost instead. */
import type { KeptFigures } from './chain-figures.ts';
import { type BillOfService, chainsOf, type PlannedMonth } from './forecast.ts';
import { dollarsOf } from './prices.ts';

const gigabyte = 1024 ** 3;
const months = 12;
/** A write unit is up to 1 KB, and a notification of SES about 3 KB: more than what is sent. */
const writeUnitBytes = 1024;
const notificationBytes = 3 * 1024;
/** Full backups that are copied, and those that are kept. */
const dailyBackups = { aMonth: 30, kept: 2 };

/**
 * Dollars a month, after a year of such months. Of the copy of the table, each write is billed as in the home region, those of indexes among them
 * ("Understanding Amazon DynamoDB billing for global tables"): a transaction twice, which is at most what AWS charges. What expires is deleted for
 * nothing in the home region, and billed in the copy ("How DynamoDB global tables work"), here by its size.
 */
export function standbyCosts(
  month: PlannedMonth,
  figures: KeptFigures,
): { readonly copies: readonly BillOfService[]; readonly dailyBackups: number } {
  const sums = { writeUnits: 0, tableGb: 0, notifications: 0 };
  for (const { use, times } of chainsOf(month, figures)) {
    sums.writeUnits += (use.usage.writeUnit + Math.ceil(use.stored.expiring / writeUnitBytes)) * times;
    sums.notifications += use.usage.snsPublish * times;
    sums.tableGb += ((use.stored.table * months + use.stored.expiring) * times) / gigabyte;
  }
  const sentGb = (sums.writeUnits * writeUnitBytes + sums.notifications * notificationBytes) / gigabyte;
  return {
    copies: [
      { service: 'writes of the copy', dollars: dollarsOf('writeUnit', sums.writeUnits) },
      { service: 'storage of the copy', dollars: dollarsOf('tableGb', sums.tableGb) },
      { service: 'transfer', dollars: dollarsOf('regionTransferGb', sentGb) },
      { service: 'key', dollars: dollarsOf('kmsKey', 1) + dollarsOf('kmsRotation', 2) },
    ],
    dailyBackups:
      dollarsOf('regionTransferGb', sums.tableGb * dailyBackups.aMonth) +
      dollarsOf('backupGb', sums.tableGb * dailyBackups.kept),
  };
}
