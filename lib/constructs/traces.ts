/** Traces of emails in AWS X-Ray, by the setting `traceSampling`: a function that reads the log lines of all others. */
import type { Stack } from 'aws-cdk-lib';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { traceRecorder } from '../../functions/workers/record-traces.contract.ts';
import { tracedPattern } from '../observability/trace-sampling.ts';
import type { Settings } from '../settings.ts';
import { traceExecutions } from './concurrency.ts';
import { FunctionGroup } from './function-group.ts';
import { type GrantTargets, statementsOf } from './grants.ts';

/**
 * What the function cannot write is lost after the two retries of an asynchronous invocation: mail does not depend on traces. It has a log group
 * of its own, without a filter: one that it wrote to itself would invoke it for ever ("Log recursion prevention").
 *
 * @param code folder of the function bundle
 */
export function addTraces(
  stack: Stack,
  { traceSampling, lambdaConcurrency }: Settings,
  { targets, code }: { readonly targets: GrantTargets; readonly code: string },
): void {
  if (traceSampling === 0) return;
  const { names } = targets;
  const logGroupName = names.logGroup('traces');
  const functions = new FunctionGroup(stack, 'Traces', {
    code,
    environment: { TRACE_SAMPLING: String(traceSampling) },
    logGroupName,
    logGroupArn: names.arn('logs', `log-group:${logGroupName}`),
  });
  const { functionArn } = functions.add({
    ...traceRecorder,
    functionName: names.tracesFunction,
    statements: statementsOf(traceRecorder.access, targets),
    executionsMax: traceExecutions(lambdaConcurrency),
  });
  for (const source of ['api', 'workers'] as const) {
    const permission = new CfnPermission(stack, `Traces-${source}-Permission`, {
      action: 'lambda:InvokeFunction',
      functionName: functionArn,
      principal: 'logs.amazonaws.com',
      sourceArn: names.arn('logs', `log-group:${names.logGroup(source)}:*`),
      sourceAccount: names.account,
    });
    new CfnSubscriptionFilter(stack, `Traces-${source}-Lines`, {
      logGroupName: names.logGroup(source),
      filterPattern: tracedPattern(traceSampling),
      destinationArn: functionArn,
    }).addResourceDependency(permission);
  }
}
