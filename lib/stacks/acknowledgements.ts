/** Findings of the template checks that are meant to be so, each with its reason. */
import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { namesOf } from '../constructs/names.ts';
import type { Stacks } from './app.ts';
import type { Settings } from './settings.ts';

/** Acknowledges wildcards resource by resource, so that a new one is a finding again. */
export function acknowledgeFindings(stacks: Stacks, settings: Settings): void {
  // The rules write an account that is not known at synthesis so.
  const names = namesOf({ ...settings, account: settings.account || '<AWS::AccountId>' });
  const { mailRegions } = settings;

  for (const part of ['api', 'workers'] as const) {
    const { functions } = stacks[part];
    wildcard(
      functions,
      [`${names.arn('logs', `log-group:${names.logGroup(part)}`)}:*`],
      'The log streams of the one log group of the stack; Lambda makes up their names.',
    );
    wildcard(
      functions,
      [`arn:aws:s3:::${names.contentBucket}/*`],
      'Objects of all workspaces; which of them a request reaches is decided in the table.',
    );
    wildcard(
      functions,
      mailRegions.map((region) => `arn:aws:s3:::${names.rawMailBucket(region)}/*`),
      'SES makes up the keys of received mail.',
    );
    wildcard(
      functions,
      mailRegions.map((region) => names.arn('ses', 'identity/*', region)),
      'Identities are the domains of workspaces, which come and go while the deployment stands.',
    );
    wildcard(
      functions,
      [names.arn('scheduler', `schedule/${names.scheduleGroup}/*`)],
      'Schedules are made for what is due later; all of them are of this group.',
    );
  }
  wildcard(
    stacks.api,
    [names.arn('lambda', `function:${names.apiFunction('*')}`)],
    'The functions of the API have this prefix and no others have; a list would outgrow the policy.',
  );
  for (const stack of stacks.mail) {
    wildcard(stack.activation, ['*'], 'ses:SetActiveReceiptRuleSet takes no resource.');
    acknowledge(
      stack,
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      "The role of the CDK library's own function, which activates the receipt rule set.",
    );
    acknowledge(
      stack.undelivered,
      'SQS3',
      'It is a dead-letter queue: that of the subscriptions of the topics.',
    );
  }
  acknowledge(
    stacks.workers.outboxDeadLetters,
    'SQS3',
    "It is a dead-letter queue: the failure destination of the relay's event source.",
  );
}

function wildcard(scope: IConstruct, resources: readonly string[], reason: string): void {
  for (const resource of resources) acknowledge(scope, `IAM5[Resource::${resource}]`, reason);
}

function acknowledge(scope: IConstruct, rule: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
}
