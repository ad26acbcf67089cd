/** The settings of a deployment: their schema, defaults and error messages. */
import * as z from 'zod';
import { defaultBudget } from './core/access/request-budget.ts';
import { providerEndpoints } from './core/mailboxes/endpoints.ts';
import { defaultCaps } from './core/sending/sending-guard.ts';

/** Regions in which SES receives email ("Amazon Simple Email Service endpoints and quotas", AWS General Reference). */
const receivingRegions: readonly string[] = [
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1'],
  ...['eu-central-1', 'eu-north-1', 'eu-south-1', 'eu-west-1', 'eu-west-2', 'eu-west-3'],
  ...['ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1'],
  ...['ap-southeast-1', 'ap-southeast-2', 'ap-southeast-3', 'af-south-1', 'il-central-1', 'me-south-1'],
];

const region = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'is not an AWS region, e.g. eu-central-1')
  // ARNs and endpoints are built for the partition "aws".
  .refine((name) => !/^(cn-|us-gov-|us-iso|eu-iso|eusc-)/.test(name), 'is not in the partition "aws"');
const mailRegion = region.refine(
  (name) => receivingRegions.includes(name),
  'is not a region in which SES receives email',
);
const domain = z
  .string()
  .regex(
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'is not a domain name in lower case',
  );
const url = z
  .url({ protocol: /^https?$/, error: 'is not a URL' })
  // The environment of a function has 4 KB at most ("Lambda quotas", AWS Lambda Developer Guide).
  .max(300, 'is longer than 300 characters');
/** RFC 5321, 4.5.3.1.3. */
const email = z.email('is not an email address').max(254, 'is longer than 254 characters');
const emptyOr = <S extends z.ZodType>(schema: S) => z.union([z.literal(''), schema]);
/** `-c mailRegions=a,b` on the command line, a list in process. */
const regions = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value),
  z.array(mailRegion).min(1, 'must name at least one region'),
);

const certificateArn = z
  .string('has no certificate')
  .regex(/^arn:aws:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/, 'is not the ARN of an ACM certificate');

/** Reads a comma-separated list of pairs; what is no text stays. */
function pairs(separator: string, first: string, second: string) {
  return (value: unknown) =>
    typeof value === 'string'
      ? value.split(',').map((pair) => {
          const [one, other] = pair.trim().split(separator);
          return { [first]: one, [second]: other };
        })
      : value;
}

/** `-c linkDomains=links.acme.dev=arn:aws:acm:…,…` on the command line, a list in process. */
const linkDomains = z.preprocess(
  pairs('=', 'name', 'certificateArn'),
  z.array(
    z.strictObject({
      name: domain,
      certificateArn,
    }),
  ),
);

/** `-c spreadWorkspaces=wks_…@2026-12-01T00:00:00Z,…` on the command line, a list in process. */
const spreadWorkspaces = z.preprocess(
  pairs('@', 'workspace', 'from'),
  z
    .array(
      z.strictObject({
        workspace: z.string().regex(/^wks_[0-9a-f]{32}$/, 'is not the id of a workspace'),
        from: z.iso.datetime({ error: 'is not a time in UTC, e.g. 2026-12-01T00:00:00Z' }),
      }),
    )
    // Of the 4 KB of a function's environment.
    .max(3, 'has more than 3 workspaces'),
);

/** `-c sesTenants=true` on the command line, a boolean in process. */
const onOrOff = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean('is not true or false'),
);

const secretArn = z
  .string()
  .regex(
    /^arn:aws:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+$/,
    'is not the ARN of a Secrets Manager secret',
  );

const whole = z.coerce.number('is not a number').int('is not a whole number');
const positive = whole.min(1, 'must be at least 1');
/** 0 stands for none. */
const wholeOrNone = whole.min(0, 'must be at least 0');

const shape = {
  /** Prefix of every stack name and, in lower case, of every resource name. */
  prefix: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,15}$/, 'must be a letter followed by up to 15 letters or digits')
    .default('Parley'),
  /** Empty: the account of the credentials that deploy. */
  account: emptyOr(z.string().regex(/^\d{12}$/, 'is not an account id of 12 digits')).default(''),
  brand: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, 'must be a letter followed by up to 31 letters, digits or hyphens')
    .default('Parley'),
  /** Host of the API, and of links in mail and pages; empty: that of API Gateway, which ends with the stack. */
  apiDomain: emptyOr(domain).default(''),
  /** Its ACM certificate in the home region; empty: one is made in `apiHostedZoneId`. */
  apiCertificateArn: emptyOr(certificateArn).default(''),
  /** The Route 53 zone in which its records are made; empty: the operator publishes them. */
  apiHostedZoneId: emptyOr(
    z.string().regex(/^Z[A-Z0-9]{1,31}$/, 'is not the id of a Route 53 hosted zone, e.g. Z0123456789ABC'),
  ).default(''),
  /** URL of the API where a proxy of the operator leads to it. Default: `https://<apiDomain>`. */
  apiBaseUrl: emptyOr(url).default(''),
  /** Whether such a proxy serves `apiBaseUrl`. */
  apiProxy: onOrOff.default(false),
  docsUrl: emptyOr(url).default(''),
  providedDomain: emptyOr(domain).default(''),
  mailRegions: regions.default(['us-east-1', 'eu-central-1']),
  /** Default: the first of `mailRegions`. */
  defaultRegion: region.optional(),
  /** Region of the table and the functions. Default: `defaultRegion`. */
  homeRegion: region.optional(),
  /** Default: `no-reply@<providedDomain>`. */
  supportEmail: emptyOr(email).optional(),
  /** The table; empty: the prefix. Another one is adopted after a restore (docs/restoring.md). */
  tableName: emptyOr(
    z
      .string()
      .regex(/^[A-Za-z0-9_.-]{3,64}$/, 'must have 3 to 64 letters, digits, hyphens, dots or underscores'),
  ).default(''),
  /** The stream of a table that another stack, or nobody yet, has made; empty: that of the table in the data stack. */
  tableStreamArn: emptyOr(
    z
      .string()
      .regex(
        /^arn:aws:dynamodb:[a-z0-9-]+:\d{12}:table\/[A-Za-z0-9_.-]+\/stream\/[0-9T:.-]+$/,
        'is not the ARN of the stream of a DynamoDB table',
      ),
  ).default(''),
  /** The region that gets copies of table, files and secrets key (docs/regions.md); empty: none. */
  standbyRegion: emptyOr(region).default(''),
  /** The home region whose copies this deployment uses, as its standby; empty: it has data of its own. */
  standbyOf: emptyOr(region).default(''),
  /** Whether the standby works: until then, its queues, stream and timers are off. */
  takeOver: onOrOff.default(false),
  /** The copy of the secrets key in the region of a standby. */
  secretsKeyArn: emptyOr(
    z
      .string()
      .regex(/^arn:aws:kms:[a-z0-9-]+:\d{12}:key\/mrk-[0-9a-f]{32}$/, 'is not the ARN of a multi-Region key'),
  ).default(''),
  /** Days for which the table and deleted objects can be restored ("Point-in-time recovery", 1 to 35). */
  backupDays: positive.max(35, 'must be at most 35').default(35),
  /** Days after which events and webhook deliveries expire; a delivery is retried for one. */
  eventRetentionDays: whole.min(2, 'must be at least 2').max(3650, 'must be at most 3650').default(30),
  /** Days for which mail is kept in workspaces that have no such time of their own; 0: forever. */
  mailRetentionDays: wholeOrNone.max(36_500, 'must be at most 36500').default(0),
  /** Days after which the raw message of mail that became no email expires: dropped, refused and repeated mail. */
  droppedMailDays: positive.max(3650, 'must be at most 3650').default(30),
  /** Concurrent executions of the account in the home region: workers together take half ("Lambda quotas"). */
  lambdaConcurrency: whole.min(10, 'must be at least 10').default(1000),
  /** Emails a second that table and indexes carry at once, without growing first; 0: what a new table carries. */
  prewarmEmailsPerSecond: wholeOrNone.default(0),
  /** Workspaces whose lists of emails, threads, events and deliveries are in several partitions, each from a time on (docs/scaling.md). */
  spreadWorkspaces: spreadWorkspaces.default([]),
  /** Execution environments of `POST /emails` that are always ready; 0: none. */
  prewarmSendFunctions: wholeOrNone.default(0),
  /** The request budget of a workspace that has none of its own. */
  budgetUnitsPerSecond: positive.default(defaultBudget.unitsPerSecond),
  budgetCapacity: positive.default(defaultBudget.capacity),
  budgetInFlight: positive.default(defaultBudget.inFlight),
  /** Requests in flight of all workspaces together; 0: no ceiling. Default: two fifths of `lambdaConcurrency`. */
  requestCeiling: whole.min(0).optional(),
  /** Recipients of a workspace that has no caps of its own; a new workspace begins with a fiftieth. */
  recipientsPerHour: positive.default(defaultCaps.perHour),
  recipientsPerDay: positive.default(defaultCaps.perDay),
  /** Whether each workspace has an SES tenant, with a reputation of its own. */
  sesTenants: onOrOff.default(false),
  /** Minutes between two emails of the canary, where there is a provided domain; 0: no canary. */
  canaryMinutes: wholeOrNone.max(60, 'must be at most 60').default(10),
  /** Share of the emails that have a trace in AWS X-Ray (docs/administration.md#traces), 0 to 1; 0: none. */
  traceSampling: z.coerce
    .number('is not a number')
    .min(0, 'must be at least 0')
    .max(1, 'must be at most 1')
    .default(0),
  /** Hosts for the links of single workspaces, with the ACM certificate of each in the home region. */
  linkDomains: linkDomains.default([]),
  /** Secrets Manager secrets with the OAuth apps that all workspaces share (docs/mailbox-apps.md#shared-apps); empty: none. */
  googleAppSecretArn: emptyOr(secretArn).default(''),
  microsoftAppSecretArn: emptyOr(secretArn).default(''),
  /** Dollars a month of the account, at 80 % and 100 % of which `alarmEmail` is mailed; 0: no budget. */
  monthlyBudgetUsd: z.coerce.number('is not a number').min(0, 'must be at least 0').default(0),
  /** Dollars of an unusual cost of a service at which `alarmEmail` is mailed once a day; 0: never. */
  costAnomalyUsd: z.coerce.number('is not a number').min(0, 'must be at least 0').default(0),
  /** The monitor of AWS services that the account has, as most have: an account has one at most; empty: one is made. */
  costMonitorArn: emptyOr(
    z
      .string()
      .regex(/^arn:aws:ce::\d{12}:anomalymonitor\/[\w-]+$/, 'is not the ARN of a cost anomaly monitor'),
  ).default(''),
  /** Subscribed to the alarms of every region; empty: no subscription. */
  alarmEmail: emptyOr(email).default(''),
};

/** The base URLs of a provider, each in place of the real one. */
const baseUrlsOf = <P extends keyof typeof providerEndpoints>(provider: P) =>
  z.partialRecord(
    z.enum(Object.keys(providerEndpoints[provider]) as (keyof (typeof providerEndpoints)[P] & string)[]),
    z.url({ protocol: /^https?$/, error: 'is not a URL' }),
  );

/** Settings of the local cloud, set in process only, never from the command line. */
const local = z.strictObject({
  allowInsecureWebhooks: z.boolean().default(false),
  /** `address:port` each. */
  dnsServers: z.array(z.string()).default([]),
  /** Base URLs of the mail providers, where they are not the real ones. */
  mailProviders: z
    .strictObject({
      google: baseUrlsOf('google').default({}),
      microsoft: baseUrlsOf('microsoft').default({}),
    })
    .prefault({}),
});

const schema = z
  .strictObject({ ...shape, local: local.prefault({}) })
  .transform(({ defaultRegion, homeRegion, supportEmail, apiBaseUrl, ...rest }) => {
    const firstRegion = defaultRegion ?? rest.mailRegions[0] ?? '';
    return {
      ...rest,
      apiBaseUrl: apiBaseUrl || (rest.apiDomain && `https://${rest.apiDomain}`),
      defaultRegion: firstRegion,
      homeRegion: homeRegion ?? firstRegion,
      supportEmail: supportEmail ?? (rest.providedDomain && `no-reply@${rest.providedDomain}`),
    };
  })
  .refine((settings) => settings.mailRegions.includes(settings.defaultRegion), {
    path: ['defaultRegion'],
    error: 'is not one of mailRegions',
  })
  .refine((settings) => new Set(settings.mailRegions).size === settings.mailRegions.length, {
    path: ['mailRegions'],
    error: 'names a region twice',
  })
  .refine(
    ({ apiDomain, apiCertificateArn, apiHostedZoneId }) =>
      apiDomain !== '' || (apiCertificateArn === '' && apiHostedZoneId === ''),
    { path: ['apiDomain'], error: 'is missing: apiCertificateArn and apiHostedZoneId are for it' },
  )
  .refine(
    ({ apiDomain, apiCertificateArn, apiHostedZoneId }) =>
      apiDomain === '' || apiCertificateArn !== '' || apiHostedZoneId !== '',
    { path: ['apiDomain'], error: 'needs apiCertificateArn or apiHostedZoneId' },
  )
  .refine(
    ({ apiCertificateArn, homeRegion }) =>
      apiCertificateArn === '' || isOfRegion(apiCertificateArn, homeRegion),
    { path: ['apiCertificateArn'], error: 'is of another region than homeRegion' },
  )
  .refine(
    ({ tableName, tableStreamArn, prefix }) =>
      tableStreamArn === '' || tableStreamArn.split('/')[1] === (tableName || prefix.toLowerCase()),
    { path: ['tableStreamArn'], error: 'is of another table than tableName' },
  )
  .refine(({ standbyRegion, homeRegion }) => standbyRegion !== homeRegion, {
    path: ['standbyRegion'],
    error: 'is homeRegion',
  })
  .refine(({ standbyOf, homeRegion }) => standbyOf !== homeRegion, {
    path: ['standbyOf'],
    error: 'is homeRegion: give the region of the standby as homeRegion',
  })
  .refine(({ standbyOf, standbyRegion }) => standbyOf === '' || standbyRegion === '', {
    path: ['standbyRegion'],
    error: 'is for the deployment that has the data, not for its standby',
  })
  .refine(
    ({ standbyOf, takeOver, secretsKeyArn }) => standbyOf !== '' || (!takeOver && secretsKeyArn === ''),
    {
      path: ['standbyOf'],
      error: 'is missing: takeOver and secretsKeyArn are for a standby',
    },
  )
  .refine(
    ({ standbyOf, homeRegion, secretsKeyArn, tableStreamArn }) =>
      standbyOf === '' || [secretsKeyArn, tableStreamArn].every((arn) => isOfRegion(arn, homeRegion)),
    {
      path: ['standbyOf'],
      error:
        'needs secretsKeyArn and tableStreamArn of homeRegion: npm run doctor of the home region names them',
    },
  )
  // Nothing else leads from another host to the API: every link in mail would be dead.
  .refine(
    ({ apiBaseUrl, apiDomain, apiProxy }) =>
      apiProxy || apiBaseUrl === '' || apiBaseUrl.replace(/\/+$/, '') === `https://${apiDomain}`,
    {
      path: ['apiBaseUrl'],
      error: 'leads nowhere: set apiDomain instead, or apiProxy=true where a proxy of yours leads to the API',
    },
  )
  .refine(
    ({ alarmEmail, monthlyBudgetUsd, costAnomalyUsd }) =>
      alarmEmail !== '' || (monthlyBudgetUsd === 0 && costAnomalyUsd === 0),
    { path: ['alarmEmail'], error: 'is missing: monthlyBudgetUsd and costAnomalyUsd mail it' },
  )
  // Without it, links have the host that a send request was made to: a workspace could choose the host of another one.
  .refine((settings) => settings.linkDomains.length === 0 || settings.apiBaseUrl !== '', {
    path: ['linkDomains'],
    error: 'needs apiDomain',
  })
  .refine(
    ({ linkDomains, homeRegion }) =>
      linkDomains.every(({ certificateArn }) => isOfRegion(certificateArn, homeRegion)),
    { path: ['linkDomains'], error: 'has a certificate of another region than homeRegion' },
  )
  // The other half is that of the workers.
  .refine(({ prewarmSendFunctions, lambdaConcurrency }) => prewarmSendFunctions <= lambdaConcurrency / 2, {
    path: ['prewarmSendFunctions'],
    error: 'is more than half of lambdaConcurrency',
  })
  .refine(({ linkDomains }) => new Set(linkDomains.map(({ name }) => name)).size === linkDomains.length, {
    path: ['linkDomains'],
    error: 'names a domain twice',
  })
  .refine(({ spreadWorkspaces: all }) => new Set(all.map(({ workspace }) => workspace)).size === all.length, {
    path: ['spreadWorkspaces'],
    error: 'names a workspace twice',
  });

function isOfRegion(arn: string, region: string): boolean {
  return arn.split(':')[3] === region;
}

export type Settings = z.output<typeof schema>;
export type SettingsInput = z.input<typeof schema>;

/** Settings that cannot be deployed; the message has one line per setting, for the command line. */
export class InvalidSettings extends Error {}

/**
 * Validates settings and fills in defaults.
 *
 * @throws InvalidSettings with one line for each invalid setting
 */
export function settingsOf(input: SettingsInput): Settings {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    (issue) => `  ${issue.path.join('.') || 'settings'}: ${issue.message}`,
  );
  throw new InvalidSettings(`These settings cannot be deployed:\n${lines.join('\n')}`);
}

/**
 * Settings from a CDK context (`cdk deploy -c providedDomain=mail.example.com`). Other context keys are ignored.
 *
 * @throws InvalidSettings
 */
export function settingsFromContext(read: (name: string) => unknown): Settings {
  const given = Object.keys(shape)
    .map((name) => [name, read(name)] as const)
    .filter(([, value]) => value !== undefined);
  return settingsOf(Object.fromEntries(given));
}
