/**
 * Subscription filters of log groups that invoke functions ("Log group-level subscription filters", Amazon CloudWatch Logs User
 * Guide). The lines of a stream are batched within one turn of the event loop.
 */
import { gzipSync } from 'node:zlib';
import type { AccessControl } from '../access-control.ts';
import { createAsyncInvocations } from '../async-invocations.ts';
import { logGroupOf } from '../aws/logs-api.ts';
import { localAccount } from '../aws/service.ts';
import type { BackgroundTask } from '../background-task.ts';
import { DeploymentError, readProperties } from '../deploy.ts';
import type { LogLine, LogRing } from '../logs.ts';
import * as shapes from '../resource-shapes.ts';
import { logsInvoking } from '../service-principals.ts';
import type { Deployment } from '../template.ts';
import { logPattern } from './log-filter-patterns.ts';

export type LogSubscriptionOptions = Parameters<typeof createAsyncInvocations>[0] & {
  readonly deployment: Deployment;
  readonly logs: Pick<LogRing, 'onLine'>;
  readonly access: Pick<AccessControl, 'serviceMay'>;
};

interface Filter {
  readonly name: string;
  readonly group: string;
  /** Whether a line matches the pattern. */
  readonly isMeant: (line: string) => boolean;
  readonly functionArn: string;
}

/** @throws DeploymentError where CloudWatch Logs may not invoke the function of a filter */
export function startLogSubscriptions(options: LogSubscriptionOptions): BackgroundTask {
  const filters = filtersOf(options);
  const invocations = createAsyncInvocations(options);
  const buffers = new Map<string, LogLine[]>();
  let events = 0;

  function flush({ name, group, functionArn }: Filter, source: string, lines: readonly LogLine[]): void {
    const batch = {
      messageType: 'DATA_MESSAGE',
      owner: localAccount,
      logGroup: group,
      logStream: streamOf(source, lines[0]?.at ?? 0),
      subscriptionFilters: [name],
      logEvents: lines.map(({ at, text }) => {
        events += 1;
        return { id: String(events).padStart(56, '0'), timestamp: Math.trunc(at), message: text };
      }),
    };
    const data = gzipSync(JSON.stringify(batch)).toString('base64');
    invocations.invoke(functionArn, { awslogs: { data } });
  }

  options.logs.onLine((line) => {
    for (const filter of filters) {
      if (logGroupOf(line.source) !== filter.group || !filter.isMeant(line.text)) continue;
      const key = `${filter.name} ${line.source}`;
      const known = buffers.get(key);
      if (known) {
        known.push(line);
        continue;
      }
      const lines = [line];
      buffers.set(key, lines);
      setImmediate(() => {
        buffers.delete(key);
        flush(filter, line.source, lines);
      });
    }
  });
  return {
    pendingWork: () => (buffers.size > 0 ? 'batches of log lines' : invocations.pendingWork()),
    close: invocations.close,
  };
}

function filtersOf({ deployment, access }: LogSubscriptionOptions): Filter[] {
  return deployment.ofType('AWS::Logs::SubscriptionFilter').map((resource) => {
    const properties = readProperties(shapes.subscriptionFilter, resource);
    const { LogGroupName: group, FilterPattern: pattern, DestinationArn: functionArn } = properties;
    const caller = logsInvoking(resource.region, localAccount, group);
    if (!access.serviceMay(caller, 'lambda:InvokeFunction', functionArn)) {
      const reason =
        'Could not execute the lambda function. Make sure you have given CloudWatch Logs permission to execute your function.';
      throw new DeploymentError(resource, `InvalidParameterException: ${reason}`);
    }
    return { name: resource.logicalId, group, isMeant: logPattern(pattern), functionArn };
  });
}

/** "Configuring CloudWatch log groups", AWS Lambda Developer Guide. */
function streamOf(functionName: string, at: number): string {
  const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '/');
  return `${day}/${functionName}[$LATEST][${'0'.repeat(32)}]`;
}
