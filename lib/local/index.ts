/** The public surface of the local cloud: other folders import nothing else of it. */
export { type Anomalies, allAnomalies } from './anomalies.ts';
export type { ConsumedUnits } from './aws/dynamodb-capacity.ts';
export type { FaultKind, FaultRule } from './aws/faults.ts';
export { hasMoto, startMoto } from './aws/moto.ts';
export type { RecordedCall } from './aws/recorder.ts';
export { localAccount } from './aws/service.ts';
export { createFairOrder } from './aws/sqs-fair-order.ts';
export { newSkew } from './clock.ts';
export { type Cloud, startCloud } from './cloud.ts';
export type { Invocation } from './functions.ts';
export type { InboxPages } from './inbox/pages.ts';
export {
  defaultGuardRails,
  generousGuardRails,
  generousLimits,
  type LimitChanges,
  newAccountLimits,
  newTableLimits,
  withLimits,
} from './limits.ts';
export type { LogLine } from './logs.ts';
export { demoClient } from './mailbox-providers/mailbox-providers.ts';
export { QuiescenceTimeout } from './quiescence.ts';
export { CannotStart, type StartWatch } from './start-watch.ts';
export { homeRegion, localSettings, mailRegions } from './startup.ts';
