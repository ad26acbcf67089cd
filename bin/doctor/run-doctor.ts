/** Runs the checks of `npm run doctor`, and prints their findings as they come. */
import { cleanLine, toJson } from '../../clients/cli/src/terminal/clean.ts';
import type { Terminal } from '../../clients/cli/src/terminal/terminal.ts';
import { NoTarget, type Target, useTarget } from '../../lib/adapters/operator-target.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import { env } from '../../lib/env.ts';
import { settingsOf } from '../../lib/settings.ts';
import { requestOf } from '../operator/explain.ts';
import type { Check, Examined, Finding } from './check.ts';
import { checks } from './checks.ts';

export interface Options extends Target {
  /** Those of an account before the deployment; undefined: those of the settings. */
  readonly mailRegions: readonly string[] | undefined;
}

interface Output {
  readonly terminal: Terminal;
  /** One object at the end instead of lines. */
  readonly isJson: boolean;
}

/** 0: no failures. 1: failures. @throws NoTarget */
export async function runDoctor(options: Options, { terminal, isJson }: Output): Promise<0 | 1> {
  const examined = await examinedBy(options);
  const print = (line: string) => {
    if (!isJson) terminal.print(line);
  };
  print(
    examined.deployment
      ? `The deployment "${examined.deployment.names.prefix}" in ${examined.homeRegion}:`
      : `No deployment was found in ${examined.homeRegion}; the account before a deployment:`,
  );
  const findings: (Finding & { readonly check: string })[] = [];
  const applicable = checks.filter(({ needs }) => needs === 'account' || examined.deployment !== null);
  const started = new Map(
    applicable.flatMap((check) => (check.managesSes ? [] : [[check, resultOf(check, examined)] as const])),
  );
  for (const check of applicable) {
    const found = await (started.get(check) ?? resultOf(check, examined));
    findings.push(...found.map((finding) => ({ check: check.title, ...finding })));
    print(['', check.title, ...found.flatMap((finding) => linesOf(finding, terminal))].join('\n'));
  }
  const count = (status: Finding['status']) => findings.filter((one) => one.status === status).length;
  const counts = { ok: count('ok'), warnings: count('warning'), failures: count('failure') };
  print(`\n${counts.ok} ok, ${counts.warnings} warnings, ${counts.failures} failures`);
  if (isJson) terminal.print(toJson(reportOf(examined, findings, counts)));
  return counts.failures > 0 ? 1 : 0;
}

function reportOf(
  { deployment, homeRegion, mailRegions }: Examined,
  findings: readonly (Finding & { readonly check: string })[],
  counts: Readonly<Record<string, number>>,
) {
  return {
    deployment: deployment?.names.prefix ?? null,
    home_region: homeRegion,
    mail_regions: mailRegions,
    findings: findings.map(({ check, status, found, todo = null, requestId = null }) => ({
      check,
      status,
      found,
      todo,
      request_id: requestId,
    })),
    ...counts,
  };
}

/** What is examined: the deployment, or the account where there is none. @throws NoTarget */
async function examinedBy(options: Options): Promise<Examined> {
  try {
    await useTarget(options);
  } catch (error) {
    if (!(error instanceof NoTarget) || error.region === undefined) throw error;
    return {
      homeRegion: error.region,
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
      names: namesOf({
        ...{ prefix: deployed.METRICS_NAMESPACE, account, homeRegion: deployed.HOME_REGION },
        tableName: deployed.TABLE_NAME,
      }),
      queueUrls: deployed.QUEUE_URLS,
      apiBaseUrl: deployed.API_BASE_URL,
      providedDomain: deployed.PROVIDED_DOMAIN,
      defaultRegion: deployed.DEFAULT_REGION,
      lambdaConcurrency: deployed.LAMBDA_CONCURRENCY,
      isStandby: deployed.SCHEDULER_ROLE_ARN.endsWith(`-scheduler-${deployed.HOME_REGION}`),
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
    const { requestId } = requestOf(error);
    return [
      {
        status: 'failure',
        found: `AWS did not answer the check: ${name}: ${message}`,
        todo: 'Check the credentials and their permissions (npm run doctor -- --help), and run the doctor again.',
        ...(requestId && { requestId }),
      },
    ];
  }
}

const marks = { ok: 'ok     ', warning: 'warning', failure: 'FAILURE' } as const;

function linesOf({ status, found, todo, requestId }: Finding, { colors }: Terminal): string[] {
  const color = { ok: colors.green, warning: colors.yellow, failure: colors.red }[status];
  return [
    `  ${color(marks[status])} ${cleanLine(found)}`,
    ...[todo, requestId && `Request ${requestId}.`].flatMap((line) =>
      line ? [`          ${cleanLine(line)}`] : [],
    ),
  ];
}
