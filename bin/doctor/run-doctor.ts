/** `npm run doctor`: reads the command line, runs the checks, prints their findings. */
import { NoTarget, type Target, useTarget } from '../../lib/adapters/operator-target.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import { env } from '../../lib/env.ts';
import { settingsOf } from '../../lib/settings.ts';
import { readArguments, Usage } from '../options.ts';
import type { Check, Examined, Finding } from './check.ts';
import { checks } from './checks.ts';

const help = `Usage: npm run doctor -- --region R [options]

Checks an AWS account before and after a deployment, and says in words what is wrong and what to do.
The exit code is 0 without failures (warnings allowed), 1 with failures, 2 where nothing could be checked.

  --region R           the home region of the deployment; else AWS_REGION
  --mail-regions A,B   the mail regions, before the deployment; default: those of the settings
  --stack-prefix P     the deployment's prefix, when it is not the default
  --local              the local run that npm start keeps up
  --help

The usual AWS credentials are used (environment, profile, role). They need read permissions only:
ses:GetAccount, ses:DescribeActiveReceiptRuleSet, ses:GetEmailIdentity, lambda:GetAccountSettings,
lambda:GetFunctionConfiguration, lambda:GetFunctionRecursionConfig, s3:GetBucketPolicy, sns:GetTopicAttributes,
sns:ListSubscriptionsByTopic, sqs:GetQueueAttributes.`;

export interface Report {
  readonly lines: readonly string[];
  /** 0: no failures. 1: failures. 2: nothing could be checked. */
  readonly exitCode: 0 | 1 | 2;
}

/** @param args command line without node and script */
export async function runDoctor(args: readonly string[]): Promise<Report> {
  try {
    const options = readOptions(args);
    return options.help ? { lines: [help], exitCode: 0 } : await reportOf(await examinedBy(options));
  } catch (error) {
    if (error instanceof Usage)
      return { lines: [`${error.message} See npm run doctor -- --help.`], exitCode: 2 };
    if (error instanceof NoTarget) return { lines: [`${error.message}.`], exitCode: 2 };
    throw error;
  }
}

async function reportOf(examined: Examined): Promise<Report> {
  const applicable = checks.filter(({ needs }) => needs === 'account' || examined.deployment !== null);
  const lines = [
    examined.deployment
      ? `The deployment "${examined.deployment.names.table}" in ${examined.homeRegion}:`
      : `No deployment was found in ${examined.homeRegion}; the account before a deployment:`,
  ];
  const findings: Finding[] = [];
  for (const check of applicable) {
    const found = await resultOf(check, examined);
    findings.push(...found);
    lines.push('', check.title, ...found.flatMap(linesOf));
  }
  const count = (status: Finding['status']) => findings.filter((one) => one.status === status).length;
  lines.push('', `${count('ok')} ok, ${count('warning')} warnings, ${count('failure')} failures`);
  return { lines, exitCode: count('failure') > 0 ? 1 : 0 };
}

type Options = Target & { readonly mailRegions: readonly string[] | undefined; readonly help: boolean };

/** @throws Usage */
function readOptions(args: readonly string[]): Options {
  const { values } = readArguments(args, {
    options: {
      region: { type: 'string' },
      'mail-regions': { type: 'string' },
      'stack-prefix': { type: 'string' },
      local: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    ...values,
    region: values.region,
    prefix: values['stack-prefix'],
    mailRegions: values['mail-regions']?.split(',').map((name) => name.trim()),
  };
}

/** What is examined: the deployment, or the account where there is none. @throws NoTarget */
async function examinedBy(options: Options): Promise<Examined> {
  try {
    await useTarget(options);
  } catch (error) {
    if (!(error instanceof NoTarget)) throw error;
    const region = options.region ?? process.env.AWS_REGION;
    const isMissing = (error.cause as Error | undefined)?.name === 'ResourceNotFoundException';
    if (!isMissing || !region) throw error;
    return {
      homeRegion: region,
      mailRegions: options.mailRegions ?? settingsOf({}).mailRegions,
      deployment: null,
    };
  }
  const deployed = env();
  const [, , , , account = ''] = deployed.DELAY_QUEUE_ARN.split(':');
  return {
    homeRegion: deployed.HOME_REGION,
    mailRegions: deployed.MAIL_REGIONS,
    deployment: {
      names: namesOf({ prefix: deployed.METRICS_NAMESPACE, account, homeRegion: deployed.HOME_REGION }),
      queueUrls: deployed.QUEUE_URLS,
      providedDomain: deployed.PROVIDED_DOMAIN,
      defaultRegion: deployed.DEFAULT_REGION,
      lambdaConcurrency: deployed.LAMBDA_CONCURRENCY,
      dnsServers: deployed.DNS_SERVERS,
    },
  };
}

/** A check that cannot be made is a failure: its subject is unknown. */
async function resultOf(check: Check, examined: Examined): Promise<Finding[]> {
  try {
    return await check.examine(examined);
  } catch (error) {
    const { name, message } = error as Error;
    return [
      {
        status: 'failure',
        found: `AWS did not answer the check: ${name}: ${message}`,
        todo: 'Check the credentials and their permissions (npm run doctor -- --help), and run the doctor again.',
      },
    ];
  }
}

const marks = { ok: 'ok     ', warning: 'warning', failure: 'FAILURE' } as const;

function linesOf({ status, found, todo }: Finding): string[] {
  return [`  ${marks[status]} ${found}`, ...(todo ? [`          ${todo}`] : [])];
}
