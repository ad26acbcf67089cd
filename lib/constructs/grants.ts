/** The IAM statements of each grant; no other file writes statements for the role of a function. */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Grant, QueueName } from '../core/access/access.ts';
import { uploadPrefix } from '../core/attachments/attachment.ts';
import type { Contract } from '../http/contract.ts';
import {
  auditPartitions,
  keyHashKey,
  loginPrefix,
  requestBudgetPrefix,
  usagePartitions,
} from '../storage/table/keys.ts';
import { type Names, tableIndexes } from './names.ts';

/** The resources that statements name. */
export interface GrantTargets {
  readonly names: Names;
  readonly mailRegions: readonly string[];
  readonly secretsKeyArn: string;
  /** Of the shared OAuth apps. */
  readonly sharedAppSecretArns: readonly string[];
  /** The connections of the WebSocket API; absent: no function of the stack sends to them. */
  readonly liveConnectionsArn?: string;
}

/** Grants of every operation beside its own `access`: authentication, and the update of `last_used_at`. */
const operationGrants: readonly Grant[] = ['table:get', 'table:touch-key', 'table:spend-budget'];

/** The grants of an operation. A list verifies and signs cursors. */
export function grantsOfOperation({ access, query }: Pick<Contract, 'access' | 'query'>): Grant[] {
  return [
    ...operationGrants,
    ...('cursor' in query.shape ? (['secrets:decrypt:cursor-secret'] as const) : []),
    ...access,
  ];
}

/** The statements of a role: one per action set and resource, in the order of `grants`, repetitions dropped. */
export function statementsOf(grants: readonly Grant[], targets: GrantTargets): PolicyStatement[] {
  return [...new Set(grants)].flatMap((grant) => statements(grant, targets));
}

const rawMailActions = {
  'raw-mail:get': 's3:GetObject',
  'raw-mail:delete': 's3:DeleteObject',
  'raw-mail:tag': 's3:PutObjectTagging',
} as const;

const tableActions = {
  'table:get': ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
  'table:put': ['dynamodb:PutItem'],
  'table:write-many': ['dynamodb:BatchWriteItem'],
  'table:update': ['dynamodb:UpdateItem'],
  'table:delete': ['dynamodb:DeleteItem'],
  'table:check': ['dynamodb:ConditionCheckItem'],
} as const;

const objectActions = {
  'content:get': 's3:GetObject',
  'content:put': 's3:PutObject',
  'content:delete': 's3:DeleteObject',
} as const;

type GrantOf<Service extends string> = Extract<Grant, `${Service}:${string}`>;

function isGrantOf<Service extends string>(service: Service, grant: Grant): grant is GrantOf<Service> {
  return grant.startsWith(`${service}:`);
}

function statements(grant: Grant, targets: GrantTargets): PolicyStatement[] {
  const { names, mailRegions, secretsKeyArn, sharedAppSecretArns } = targets;
  if (isGrantOf('table', grant)) return tableStatements(grant, names.arn('dynamodb', `table/${names.table}`));
  if (isGrantOf('secrets', grant)) return [secretStatement(grant, secretsKeyArn)];
  if (isGrantOf('operations', grant)) return [invokeStatement(grant, names)];
  switch (grant) {
    case 'content:get':
    case 'content:put':
    case 'content:delete':
      return [allow([objectActions[grant]], [`arn:aws:s3:::${names.contentBucket}/*`])];
    case 'content:list':
      return [
        allow(['s3:ListBucket'], [`arn:aws:s3:::${names.contentBucket}`], {
          StringLike: { 's3:prefix': ['w/*', `${uploadPrefix}*`] },
        }),
      ];
    case 'raw-mail:get':
    case 'raw-mail:delete':
    case 'raw-mail:tag':
      return [
        allow(
          [rawMailActions[grant]],
          mailRegions.map((region) => `arn:aws:s3:::${names.rawMailBucket(region)}/*`),
        ),
      ];
    case 'shared-apps:read':
      return sharedAppSecretArns.length === 0
        ? []
        : [allow(['secretsmanager:GetSecretValue'], sharedAppSecretArns)];
    case 'mail:send':
    case 'mail:limits':
    case 'identities:manage':
    case 'identities:read':
    case 'rule-sets:read':
      return mailStatements(grant, targets);
    case 'traces:write':
      // The action supports no resource ("Actions, resources, and condition keys for AWS X-Ray").
      return [allow(['xray:PutTraceSegments'], ['*'])];
    case 'live:connections': {
      const { liveConnectionsArn } = targets;
      if (!liveConnectionsArn) throw new Error('no WebSocket API in this stack');
      return [allow(['execute-api:ManageConnections'], [liveConnectionsArn])];
    }
    case 'schedules:write':
      return [
        allow(['scheduler:CreateSchedule'], [names.arn('scheduler', `schedule/${names.scheduleGroup}/*`)]),
        allow(['iam:PassRole'], [schedulerRoleArn(names)], {
          StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
        }),
      ];
    default:
      return [allow(['sqs:SendMessage'], [names.queueArn(queueOf(grant))])];
  }
}

function tableStatements(grant: GrantOf<'table'>, table: string): PolicyStatement[] {
  switch (grant) {
    case 'table:query':
      return [allow(['dynamodb:Query'], [table, ...tableIndexes.map((index) => `${table}/index/${index}`)])];
    case 'table:touch-key':
      return [
        allowUnder('dynamodb:UpdateItem', table, keyHashKey('*').pk),
        // The use of a deleted key is recorded.
        allowUnder('dynamodb:PutItem', table, auditPartitions),
      ];
    case 'table:request-links':
      return ['dynamodb:UpdateItem', 'dynamodb:PutItem'].map((action) =>
        allowUnder(action, table, `${loginPrefix}*`),
      );
    case 'table:spend-budget':
      return [allowUnder('dynamodb:UpdateItem', table, `${requestBudgetPrefix}*`)];
    case 'table:count-usage':
      return [allowUnder('dynamodb:UpdateItem', table, usagePartitions)];
    default:
      return [allow(tableActions[grant], [table])];
  }
}

/** Statements for SES. */
function mailStatements(
  grant: GrantOf<'mail' | 'identities' | 'rule-sets'>,
  { names, mailRegions }: GrantTargets,
): PolicyStatement[] {
  const arns = (resource: string) => mailRegions.map((region) => names.arn('ses', resource, region));
  const identities = arns('identity/*');
  const tenants = arns('tenant/*');
  const configurationSets = arns(`configuration-set/${names.configurationSet}`);
  switch (grant) {
    case 'mail:send':
      return [
        // SendEmail of API v2 requires ses:SendRawEmail for raw content ("Actions, resources, and condition keys for Amazon SES").
        allow(['ses:SendEmail', 'ses:SendRawEmail'], [...identities, ...configurationSets]),
        allow(['ses:GetTenant'], tenants),
      ];
    case 'mail:limits':
      // GetAccount takes no resource ("Actions, resources, and condition keys for Amazon SES").
      return [allow(['ses:GetAccount'], ['*'])];
    case 'identities:manage':
      return manageIdentities({ identities, tenants, configurationSets });
    case 'identities:read':
      return [allow(['ses:GetEmailIdentity'], identities)];
    case 'rule-sets:read':
      // The action supports no resource ("Actions, resources, and condition keys for Amazon SES").
      return [allow(['ses:DescribeActiveReceiptRuleSet'], ['*'])];
  }
}

/** Identities of domains, and the tenants that they are associated with. */
function manageIdentities({
  identities,
  tenants,
  configurationSets,
}: Readonly<Record<'identities' | 'tenants' | 'configurationSets', readonly string[]>>): PolicyStatement[] {
  return [
    allow(
      [
        'ses:CreateEmailIdentity',
        'ses:GetEmailIdentity',
        'ses:DeleteEmailIdentity',
        'ses:PutEmailIdentityDkimSigningAttributes',
        'ses:PutEmailIdentityMailFromAttributes',
      ],
      identities,
    ),
    allow(['ses:CreateTenant', 'ses:DeleteTenant'], tenants),
    allow(
      ['ses:CreateTenantResourceAssociation', 'ses:DeleteTenantResourceAssociation'],
      [...tenants, ...identities, ...configurationSets],
    ),
    allow(['ses:ListResourceTenants'], [...identities, ...configurationSets]),
  ];
}

/** Writes of items whose partition key matches ("Using IAM policy conditions for fine-grained access control"). */
function allowUnder(action: string, table: string, partitionKeys: string): PolicyStatement {
  return allow([action], [table], {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitionKeys] },
  });
}

/** Only for requests with this purpose in their encryption context ("AWS KMS condition keys", AWS KMS Developer Guide). */
function secretStatement(grant: GrantOf<'secrets'>, keyArn: string): PolicyStatement {
  const [, direction, purpose] = grant.split(':');
  return allow([direction === 'encrypt' ? 'kms:Encrypt' : 'kms:Decrypt'], [keyArn], {
    StringEquals: { 'kms:EncryptionContext:purpose': purpose },
  });
}

/** A call with the event of API Gateway ("Invoke", AWS Lambda API Reference). */
function invokeStatement(grant: GrantOf<'operations'>, names: Names): PolicyStatement {
  const id = grant.slice('operations:invoke:'.length);
  return allow(['lambda:InvokeFunction'], [names.arn('lambda', `function:${names.apiFunction(id)}`)]);
}

function queueOf(grant: `queue:${QueueName}:send`): QueueName {
  return grant.slice('queue:'.length, -':send'.length) as QueueName;
}

/** ARN of the scheduler role; IAM ARNs have no region. */
export function schedulerRoleArn(names: Names): string {
  return `arn:aws:iam::${names.account}:role/${names.schedulerRole}`;
}

/** What the event source mapping does with the role of the consumer, and the backoff of failed messages. */
export function consumeStatement(queueArn: string): PolicyStatement {
  return allow(
    ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ChangeMessageVisibility'],
    [queueArn],
  );
}

/** What the event source mapping of a stream does with the role of the consumer. */
export function streamStatement(streamArn: string): PolicyStatement {
  return allow(
    ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
    [streamArn],
  );
}

/** What it does with records that it gives up. */
export function deadLetterStatement(queueArn: string): PolicyStatement {
  return allow(['sqs:SendMessage'], [queueArn]);
}

/** Writing to the log group of the stack. */
export function logStatement(logGroupArn: string): PolicyStatement {
  return allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [`${logGroupArn}:*`]);
}

function allow(
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Record<string, Record<string, unknown>>,
): PolicyStatement {
  return new PolicyStatement({
    actions: [...actions],
    resources: [...resources],
    ...(conditions && { conditions }),
  });
}
