/** Whether another region could take over: copies of table, files and key, its functions, and the quota of Lambda there (docs/regions.md). */
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GetBucketReplicationCommand, S3Client } from '@aws-sdk/client-s3';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import { type Names, namesOf } from '../../lib/constructs/names.ts';
import { env } from '../../lib/env.ts';
import { type Check, deploymentOf, type Finding, failure, ok, warning } from './check.ts';
import { describeTable } from './describe-table.ts';

export const standby: Check = {
  title: 'Standby region',
  needs: 'deployment',
  async examine(examined) {
    const { names, isStandby, lambdaConcurrency } = deploymentOf(examined);
    if (isStandby) return [ok(`This is the standby: run the doctor of the home region to check its copies.`)];
    const table = await describeTable(names);
    const regions = (table?.Replicas ?? []).flatMap(({ RegionName = '' }) =>
      RegionName === names.homeRegion ? [] : [RegionName],
    );
    if (regions.length === 0) {
      return [
        ok(`No region has copies: without ${names.homeRegion}, nothing works and nothing can be restored.`),
      ];
    }
    const found: Finding[] = [];
    for (const region of regions) {
      found.push(...standbyFindings(names, { region, lambdaConcurrency, ...(await factsOf(names, region)) }));
    }
    return found;
  },
};

/** What a standby has; null or false where it does not exist. */
export interface StandbyFacts {
  readonly region: string;
  /** The stream of the copy of the table; null until it is complete. */
  readonly tableStreamArn: string | null;
  readonly isProtected: boolean;
  /** The usable copy of the secrets key. */
  readonly secretsKeyArn: string | null;
  /** Whether the content bucket copies what is written to it to that of the region. */
  readonly copiesFiles: boolean;
  /** Digest of the code of a worker, there and here; null: it is not deployed. */
  readonly code: { readonly there: string | null; readonly here: string | null };
  /** Concurrent executions of the account. */
  readonly concurrentExecutions: number;
  /** The setting. */
  readonly lambdaConcurrency: number;
}

export function standbyFindings(
  { table, homeRegion }: Pick<Names, 'table' | 'homeRegion'>,
  facts: StandbyFacts,
): Finding[] {
  const { region, tableStreamArn, secretsKeyArn, code } = facts;
  const findings = [
    tableStreamArn
      ? ok(`The table has a copy in ${region}.`)
      : failure(
          `The copy of the table in ${region} is not complete.`,
          'DynamoDB takes minutes to hours for it; run the doctor again.',
        ),
    secretsKeyArn
      ? ok(`The secrets key has a copy in ${region}.`)
      : failure(
          `The secrets key has no copy in ${region}: no secret of the table could be read there.`,
          'Deploy with standbyRegion; a key that was made without it cannot be copied (docs/regions.md#set-up).',
        ),
    facts.copiesFiles
      ? ok(`S3 copies the files of emails to ${region}.`)
      : failure(`S3 does not copy the files of emails to ${region}.`, 'Deploy with standbyRegion.'),
    ...(!tableStreamArn || facts.isProtected
      ? []
      : [
          warning(
            `Nothing keeps the copy of the table in ${region} from being deleted.`,
            `Run aws dynamodb update-table --region ${region} --table-name ${table} --deletion-protection-enabled.`,
          ),
        ]),
    functions(region, code),
    ...(facts.concurrentExecutions >= facts.lambdaConcurrency
      ? []
      : [
          failure(
            `Lambda in ${region} runs at most ${facts.concurrentExecutions} functions at the same time.`,
            `Request ${facts.lambdaConcurrency} "Concurrent executions" of AWS Lambda in Service Quotas of ${region}.`,
          ),
        ]),
  ];
  if (!tableStreamArn || !secretsKeyArn) return findings;
  const settings = { homeRegion: region, standbyOf: homeRegion, tableStreamArn, secretsKeyArn };
  const context = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return [
    ...findings,
    ok(`Keep the settings of the standby where ${homeRegion} is not needed: ${context.join(' ')}`),
  ];
}

function functions(region: string, { there, here }: StandbyFacts['code']): Finding {
  if (there === null) {
    return warning(
      `No functions are deployed in ${region}: to take over, it needs changes of IAM, which are made in us-east-1.`,
      'Deploy the idle standby (docs/regions.md#set-up).',
    );
  }
  return there === here
    ? ok(`The functions in ${region} have the code of the home region.`)
    : warning(
        `The functions in ${region} have another code than the home region.`,
        'Deploy the standby after each deployment of the home region.',
      );
}

type Facts = Omit<StandbyFacts, 'region' | 'lambdaConcurrency'>;

async function factsOf(names: Names, region: string): Promise<Facts> {
  const copy = await describeTable(names, region).catch(() => undefined);
  return {
    tableStreamArn: (copy?.TableStatus === 'ACTIVE' && copy.LatestStreamArn) || null,
    isProtected: copy?.DeletionProtectionEnabled === true,
    secretsKeyArn: await copyOfKey(region),
    copiesFiles: await copiesFiles(names, region),
    code: { there: await codeIn(names, region), here: await codeIn(names, names.homeRegion) },
    concurrentExecutions: await concurrentExecutions(region),
  };
}

/** Copies of a key have its id ("Multi-Region keys in AWS KMS"). */
async function copyOfKey(region: string): Promise<string | null> {
  const arn = env().SECRETS_KEY_ARN.replace(/^(arn:aws:kms:)[^:]+/, `$1${region}`);
  const client = new KMSClient({ region, ...clientConfig() });
  const answer = await client.send(new DescribeKeyCommand({ KeyId: arn })).catch(absent('NotFoundException'));
  client.destroy();
  return answer?.KeyMetadata?.KeyState === 'Enabled' ? arn : null;
}

async function copiesFiles(names: Names, region: string): Promise<boolean> {
  const { contentBucket } = namesOf({ prefix: names.prefix, account: names.account, homeRegion: region });
  const client = new S3Client({ region: names.homeRegion, ...clientConfig() });
  const answer = await client
    .send(new GetBucketReplicationCommand({ Bucket: names.contentBucket }))
    .catch(absent('ReplicationConfigurationNotFoundError'));
  client.destroy();
  return (answer?.ReplicationConfiguration?.Rules ?? []).some(
    ({ Status, Destination }) =>
      Status === 'Enabled' && Destination?.Bucket === `arn:aws:s3:::${contentBucket}`,
  );
}

async function codeIn(names: Names, region: string): Promise<string | null> {
  const client = new LambdaClient({ region, ...clientConfig() });
  const FunctionName = names.workerFunction('relay');
  const answer = await client
    .send(new GetFunctionConfigurationCommand({ FunctionName }))
    .catch(absent('ResourceNotFoundException'));
  client.destroy();
  return answer?.CodeSha256 ?? null;
}

async function concurrentExecutions(region: string): Promise<number> {
  const client = new LambdaClient({ region, ...clientConfig() });
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  client.destroy();
  return AccountLimit?.ConcurrentExecutions ?? 0;
}

/** null where AWS answers that there is none. */
const absent = (name: string) => (error: unknown) => {
  if ((error as Error).name === name) return null;
  throw error;
};
