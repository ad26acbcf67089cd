/** Acknowledged findings of the template checks, each with its reason. */
import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { liveStage, type Names, namesOf } from '../constructs/names.ts';
import type { Settings } from '../settings.ts';
import type { Stacks } from './stacks.ts';

/** Acknowledges findings resource by resource, so that a new wildcard fails synthesis. */
export function acknowledgeFindings(stacks: Stacks, settings: Settings): void {
  // cdk-nag writes an unresolved account this way.
  const names = namesOf({ ...settings, account: settings.account || '<AWS::AccountId>' });
  const { mailRegions } = settings;
  const { workers } = stacks;

  for (const part of ['api', 'workers'] as const) {
    const { functions } = stacks[part];
    wildcard(
      functions,
      [`${names.arn('logs', `log-group:${names.logGroup(part)}`)}:*`],
      'Log streams of the log group of the stack; Lambda chooses their names.',
    );
    wildcard(
      functions,
      [`arn:aws:s3:::${names.contentBucket}/*`],
      'Objects of all workspaces; the table decides which of them a request reaches.',
    );
    wildcard(
      functions,
      mailRegions.map((region) => `arn:aws:s3:::${names.rawMailBucket(region)}/*`),
      'SES chooses the object keys of received mail.',
    );
    wildcard(
      functions,
      mailRegions.map((region) => names.arn('ses', 'identity/*', region)),
      'Identities are the domains of workspaces, created and deleted at run time.',
    );
    wildcard(
      functions,
      mailRegions.map((region) => names.arn('ses', 'tenant/*', region)),
      'Tenants are those of workspaces, made at run time; SES chooses a part of their ARN.',
    );
    wildcard(
      functions,
      [names.arn('scheduler', `schedule/${names.scheduleGroup}/*`)],
      'Schedules are created at run time, all in this group.',
    );
  }
  acknowledgeLive(stacks, names);
  if (settings.traceSampling > 0) acknowledgeTraces(stacks, names);
  wildcard(workers.functions, ['*'], 'ses:DescribeActiveReceiptRuleSet and ses:GetAccount take no resource.');
  for (const stack of stacks.mail) {
    wildcard(stack.activation, ['*'], 'ses:SetActiveReceiptRuleSet takes no resource.');
    acknowledge(
      stack,
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      'Role of the CDK custom resource function that activates the receipt rule set.',
    );
    acknowledge(stack.undelivered, 'SQS3', 'It is the dead-letter queue of the topic subscriptions.');
  }
  acknowledge(workers.scheduleDeadLetters, 'SQS3', 'It is the dead-letter queue of the one-time schedules.');
  acknowledge(
    workers.outboxDeadLetters,
    'SQS3',
    'It is the failure destination of the event source mapping of the relay.',
  );
}

function acknowledgeTraces({ operations }: Stacks, names: Names): void {
  wildcard(
    operations,
    [`${names.arn('logs', `log-group:${names.logGroup('traces')}`)}:*`],
    'Log streams of the log group of the function; Lambda chooses their names.',
  );
  wildcard(operations, ['*'], 'xray:PutTraceSegments takes no resource.');
}

function acknowledgeLive({ workers }: Stacks, names: Names): void {
  const { live } = workers;
  wildcard(
    workers.functions,
    [names.arn('execute-api', `<${workers.getLogicalId(live.api)}>/${liveStage}/*/@connections/*`)],
    'Live connections of clients; API Gateway chooses their ids.',
  );
  acknowledge(live, 'APIG4', 'The function of $connect checks a ticket; no other route can be authorized.');
}

function wildcard(scope: IConstruct, resources: readonly string[], reason: string): void {
  for (const resource of resources) acknowledge(scope, `IAM5[Resource::${resource}]`, reason);
}

function acknowledge(scope: IConstruct, rule: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
}
