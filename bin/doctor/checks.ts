/** All checks of the doctor, in the order in which they are reported. */
import { alarmSubscriptions } from './alarm-subscriptions.ts';
import { apiHost } from './api-host.ts';
import type { Check } from './check.ts';
import { deliveryPolicies } from './delivery-policies.ts';
import { lambdaConcurrency } from './lambda-concurrency.ts';
import { providedDomain } from './provided-domain.ts';
import { receiptRuleSet } from './receipt-rule-set.ts';
import { recursiveLoops } from './recursive-loops.ts';
import { sendingAccount } from './sending-account.ts';
import { spreadWorkspaces } from './spread-workspaces.ts';
import { standby } from './standby.ts';
import { tableIndexesCheck } from './table-indexes.ts';
import { tableThroughput } from './table-throughput.ts';

export const checks: readonly Check[] = [
  sendingAccount,
  lambdaConcurrency,
  tableThroughput,
  recursiveLoops,
  tableIndexesCheck,
  spreadWorkspaces,
  receiptRuleSet,
  providedDomain,
  apiHost,
  deliveryPolicies,
  alarmSubscriptions,
  standby,
];
