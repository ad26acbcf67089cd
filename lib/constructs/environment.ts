/** The environment of the functions, for every name that `lib/env.ts` reads. */
import type { BudgetLimits } from '../core/access/request-budget.ts';
import type { RecipientCaps } from '../core/sending/sending-guard.ts';
import type { EnvironmentName } from '../env.ts';
import type { Settings } from '../settings.ts';
import { apiShare } from './concurrency.ts';
import { schedulerRoleArn } from './grants.ts';
import type { Names } from './names.ts';

/** The same for every function; permissions come from its role. The stacks add the URL of the WebSocket API, which CloudFormation knows. */
export function functionEnvironment(
  settings: Settings,
  names: Names,
  secretsKeyArn: string,
): Record<Exclude<EnvironmentName, 'LIVE_URL'>, string> {
  const { defaultRegion, mailRegions } = settings;
  return {
    TABLE_NAME: names.table,
    CONTENT_BUCKET: names.contentBucket,
    SECRETS_KEY_ARN: secretsKeyArn,
    QUEUE_URL_PREFIX: names.queueUrlPrefix,
    DELAY_QUEUE_ARN: names.queueArn('delays'),
    SCHEDULE_GROUP: names.scheduleGroup,
    SCHEDULER_ROLE_ARN: schedulerRoleArn(names),
    SCHEDULE_DEAD_LETTERS_ARN: names.deadLetterQueueArn('schedules'),
    CONFIGURATION_SET: names.configurationSet,
    RECEIPT_RULE_SET: names.receiptRuleSet,
    HOME_REGION: settings.homeRegion,
    MAIL_REGIONS: [defaultRegion, ...mailRegions.filter((region) => region !== defaultRegion)].join(','),
    DEFAULT_REGION: defaultRegion,
    BRAND: settings.brand,
    METRICS_NAMESPACE: names.metricsNamespace,
    API_BASE_URL: settings.apiBaseUrl,
    DOCS_URL: settings.docsUrl,
    PROVIDED_DOMAIN: settings.providedDomain,
    SUPPORT_EMAIL: settings.supportEmail,
    EVENT_RETENTION_DAYS: String(settings.eventRetentionDays),
    MAIL_RETENTION_DAYS: String(settings.mailRetentionDays),
    SPREAD_WORKSPACES: settings.spreadWorkspaces
      .map(({ workspace, from }) => `${workspace}@${Date.parse(from)}`)
      .join(','),
    ALLOW_INSECURE_WEBHOOKS: settings.local.allowInsecureWebhooks ? 'on' : 'off',
    SES_PAUSE_MS: '1100',
    REQUEST_BUDGET: JSON.stringify({
      unitsPerSecond: settings.budgetUnitsPerSecond,
      capacity: settings.budgetCapacity,
      inFlight: settings.budgetInFlight,
    } satisfies BudgetLimits),
    REQUEST_CEILING: String(settings.requestCeiling ?? apiShare(settings.lambdaConcurrency).requestCeiling),
    RECIPIENT_CAPS: JSON.stringify({
      perHour: settings.recipientsPerHour,
      perDay: settings.recipientsPerDay,
    } satisfies RecipientCaps),
    SES_TENANTS: settings.sesTenants ? 'on' : 'off',
    LAMBDA_CONCURRENCY: String(settings.lambdaConcurrency),
    MAIL_PROVIDERS: JSON.stringify(settings.local.mailProviders),
    SHARED_APPS: JSON.stringify(sharedAppsOf(settings)),
    DNS_SERVERS: settings.local.dnsServers.join(','),
  };
}

/** The ARN of the secret of the shared OAuth app of each mail provider; empty: there is none. */
export function sharedAppsOf({ googleAppSecretArn: google, microsoftAppSecretArn: microsoft }: Settings) {
  return { google, microsoft };
}
