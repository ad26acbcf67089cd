/** The functions of a deployment, and what invokes them: queues, streams and schedules. */
import type { AccessControl } from './access-control.ts';
import type { MovableClock } from './clock.ts';
import { startLogSubscriptions } from './cloudwatch/log-subscriptions.ts';
import type { MetricStore } from './cloudwatch/metric-store.ts';
import { createFunctions, type Functions } from './functions.ts';
import type { ServiceLimits } from './limits.ts';
import type { LogRing } from './logs.ts';
import type { Quiescence } from './quiescence.ts';
import type { Closers, LocalServices } from './services.ts';
import { startTriggers, type TriggerOptions, type Triggers } from './triggers.ts';

export interface ComputeOptions
  extends Pick<TriggerOptions, 'accessOfTemplates' | 'deployed' | 'deployment' | 'journal'> {
  readonly access: AccessControl;
  /** Functions of another release, which may take the place of those with their names. */
  readonly others: TriggerOptions['deployed'];
  readonly services: LocalServices;
  readonly clock: MovableClock;
  readonly logs: LogRing;
  readonly metrics: MetricStore;
  readonly limits: ServiceLimits['lambda'];
  readonly quiescence: Quiescence;
}

/** DynamoDB operations that add stream records. */
const writeActions: ReadonlySet<string> = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

/** Starts functions and triggers; quiescence waits for them. */
export async function startCompute(
  options: ComputeOptions,
  closers: Closers,
): Promise<{ readonly functions: Functions; readonly triggers: Triggers }> {
  const { clock, deployed, limits, logs, metrics, others, quiescence, services } = options;
  const functions = createFunctions({
    specs: [...deployed, ...others],
    skew: clock.skew,
    ...{ logs, limits, metrics },
  });
  closers.push(functions.close);
  services.faults.onKill(functions.kill);
  functions.onEnd(quiescence.noteChange);
  quiescence.add({ pendingWork: () => functions.running().join(', ') || null });

  const triggers = await startTriggers({
    deployment: options.deployment,
    journal: options.journal,
    functions,
    deployed,
    access: options.access,
    accessOfTemplates: options.accessOfTemplates,
    onStreamBatch: (functionName, ageMs) =>
      metrics.put({
        namespace: 'AWS/Lambda',
        name: 'IteratorAge',
        dimensions: { FunctionName: functionName },
        value: ageMs,
      }),
    services,
    clock,
    scalesPollers: limits.scalesPollers,
    waitsForBatches: limits.waitsForBatches,
    onProgress: quiescence.noteChange,
  });
  closers.push(triggers.close);
  const subscriptions = startLogSubscriptions({
    deployment: options.deployment,
    logs,
    access: options.access,
    clock,
    invoke: functions.invoke,
    onProgress: quiescence.noteChange,
  });
  closers.push(subscriptions.close);
  for (const task of [...triggers.tasks, subscriptions]) quiescence.add(task);
  services.gateway.recorder.subscribe(({ service, action, status }) => {
    // A refused write adds no record.
    if (service === 'dynamodb' && writeActions.has(action) && status !== 400) triggers.wakeStreams();
  });
  return { functions, triggers };
}
