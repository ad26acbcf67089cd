/** The schedule of a worker that runs by the clock. */
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';

export interface ClockProps {
  readonly functionArn: string;
  readonly minutes: number;
  readonly account: string;
  /** Whether it stands still. */
  readonly isIdle: boolean;
  /** JSON, the event of each invocation; absent: that of EventBridge Scheduler. */
  readonly input?: string;
}

/** @param id of the schedule */
export function addClock(
  scope: Construct,
  id: string,
  { functionArn, minutes, account, isIdle, input }: ClockProps,
): void {
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
    inlinePolicies: {
      invoke: new PolicyDocument({
        statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] })],
      }),
    },
  });
  new CfnSchedule(scope, id, {
    flexibleTimeWindow: { mode: 'OFF' },
    ...(isIdle && { state: 'DISABLED' }),
    scheduleExpression: `rate(${minutes} minute${minutes === 1 ? '' : 's'})`,
    target: { arn: functionArn, roleArn: role.roleArn, ...(input !== undefined && { input }) },
  });
}
