/** The environment of the functions: a value for every name that `lib/env.ts` reads. */
import { type QueueName, queues } from '../core/access.ts';
import type { EnvironmentName } from '../env.ts';
import type { Settings } from '../settings.ts';
import { schedulerRoleArn } from './grants.ts';
import type { Names } from './names.ts';

/** Every function gets the same; its role decides what the names are good for. */
export function functionEnvironment(
  settings: Settings,
  names: Names,
  secretsKeyArn: string,
): Record<EnvironmentName, string> {
  const queueUrls = (Object.keys(queues) as QueueName[]).map((name) => [name, names.queueUrl(name)]);
  const { defaultRegion, mailRegions } = settings;
  return {
    TABLE_NAME: names.table,
    CONTENT_BUCKET: names.contentBucket,
    SECRETS_KEY_ARN: secretsKeyArn,
    QUEUE_URLS: JSON.stringify(Object.fromEntries(queueUrls)),
    DELAY_QUEUE_ARN: names.queueArn('delays'),
    SCHEDULE_GROUP: names.scheduleGroup,
    SCHEDULER_ROLE_ARN: schedulerRoleArn(names),
    CONFIGURATION_SET: names.configurationSet,
    HOME_REGION: settings.homeRegion,
    MAIL_REGIONS: [defaultRegion, ...mailRegions.filter((region) => region !== defaultRegion)].join(','),
    DEFAULT_REGION: defaultRegion,
    BRAND: settings.brand,
    METRICS_NAMESPACE: names.metricsNamespace,
    API_BASE_URL: settings.apiBaseUrl,
    DOCS_URL: settings.docsUrl,
    PROVIDED_DOMAIN: settings.providedDomain,
    SUPPORT_EMAIL: settings.supportEmail,
    ALLOW_INSECURE_WEBHOOKS: settings.local.allowInsecureWebhooks ? 'on' : 'off',
    SES_PAUSE_MS: '1100',
    DNS_SERVERS: settings.local.dnsServers.join(','),
  };
}
