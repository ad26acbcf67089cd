/** Settings as long as they may be, for an account that is not known at synthesis. */
import type { SettingsInput } from '../../lib/settings.ts';

const label = 'a'.repeat(62);
const domain = `${[label, label, label, 'a'.repeat(60)].join('.')}.dev`.slice(-253);
/** At most 254 characters (RFC 5321, 4.5.3.1.3). */
const email = `s@${domain.slice(-240).replace(/^\W+/, '')}`;
const url = `https://${domain}`.padEnd(300, '/');
const secret = (name: string) =>
  `arn:aws:secretsmanager:ap-southeast-1:111111111111:secret:${name.repeat(512)}-AbCdEf`;

/** The region of the longest name, and as many as a large deployment has. */
const mailRegions = [
  ...['ap-southeast-1', 'ap-southeast-2', 'ap-southeast-3'],
  ...['ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3'],
];

export const longestSettings = {
  prefix: 'P'.repeat(16),
  brand: 'B'.repeat(32),
  apiBaseUrl: url,
  apiProxy: true,
  docsUrl: url,
  providedDomain: domain,
  tableName: 't'.repeat(64),
  supportEmail: email,
  alarmEmail: email,
  mailRegions,
  eventRetentionDays: 3650,
  droppedMailDays: 3650,
  mailRetentionDays: 36_500,
  lambdaConcurrency: 100_000,
  prewarmEmailsPerSecond: 100_000,
  prewarmSendFunctions: 50_000,
  budgetUnitsPerSecond: 1_000_000,
  budgetCapacity: 1_000_000,
  budgetInFlight: 1_000_000,
  requestCeiling: 1_000_000,
  recipientsPerHour: 100_000_000,
  recipientsPerDay: 100_000_000,
  sesTenants: true,
  linkDomains: Array.from({ length: 10 }, (_, at) => ({
    name: `links-${at}.example.com`,
    certificateArn:
      'arn:aws:acm:ap-southeast-1:111111111111:certificate/12345678-1234-1234-1234-123456789012',
  })),
  spreadWorkspaces: Array.from({ length: 3 }, (_, at) => ({
    workspace: `wks_${String(at).padStart(32, '0')}`,
    from: '2026-12-01T00:00:00Z',
  })),
  googleAppSecretArn: secret('g'),
  microsoftAppSecretArn: secret('m'),
} satisfies SettingsInput;
