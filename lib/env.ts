/** The environment variables of functions: their names and their parsing. */
import * as z from 'zod';
import { type QueueName, queueSuffix, queues } from './core/access/access.ts';

/**
 * CDK gives all of them to every function. One that the previous release does not set has a default: Lambda updates code and
 * configuration in two steps.
 */
const shape = z.object({
  TABLE_NAME: z.string(),
  CONTENT_BUCKET: z.string(),
  /** ARN of the KMS key that seals secrets. */
  SECRETS_KEY_ARN: z.string(),
  /** The URL of each queue without its end, which is the name in `lib/core/access/access.ts`. */
  QUEUE_URL_PREFIX: z.string(),
  /** Where clients connect to the WebSocket API: `wss://` host and stage. */
  LIVE_URL: z.string().default(''),
  DELAY_QUEUE_ARN: z.string(),
  SCHEDULE_GROUP: z.string(),
  SCHEDULER_ROLE_ARN: z.string(),
  /** Dead-letter queue of the one-time schedules. */
  SCHEDULE_DEAD_LETTERS_ARN: z.string(),
  CONFIGURATION_SET: z.string(),
  /** The receipt rule set of the deployment in each mail region. */
  RECEIPT_RULE_SET: z.string(),
  HOME_REGION: z.string(),
  /** Comma-separated; the first is the default region. */
  MAIL_REGIONS: z.string().transform((text) => text.split(',')),
  DEFAULT_REGION: z.string(),
  BRAND: z.string(),
  /** Namespace of the metrics in CloudWatch: the prefix of the deployment. */
  METRICS_NAMESPACE: z.string(),
  /** Empty: the API's own URL is used (from the request). */
  API_BASE_URL: z.string(),
  DOCS_URL: z.string(),
  /** Empty: workspaces get no provided domain. */
  PROVIDED_DOMAIN: z.string(),
  SUPPORT_EMAIL: z.string(),
  /** Events and webhook deliveries expire after this time. */
  EVENT_RETENTION_DAYS: z.coerce.number(),
  /** Days for which mail is kept where the workspace has no such time of its own; 0: forever. */
  MAIL_RETENTION_DAYS: z.coerce.number().default(0),
  /** Comma-separated `workspace@Unix milliseconds`: workspaces whose lists are spread, each with the time since when. */
  SPREAD_WORKSPACES: z
    .string()
    .default('')
    .transform((text): ReadonlyMap<string, number> => {
      const pairs = text.split(',').filter(Boolean);
      return new Map(pairs.map((pair) => [pair.split('@')[0] ?? '', Number(pair.split('@')[1])]));
    }),
  /** `on` only in the local run: allows webhook receivers on plain http and loopback addresses. */
  ALLOW_INSECURE_WEBHOOKS: z.enum(['on', 'off']).default('off'),
  /** Pause between management calls to SES in a region: SES allows one a second ("Service quotas in Amazon SES"). */
  SES_PAUSE_MS: z.coerce.number(),
  /** JSON: the default of a workspace's request budget. */
  REQUEST_BUDGET: z
    .string()
    .transform((text) =>
      z
        .strictObject({ unitsPerSecond: z.number(), capacity: z.number(), inFlight: z.number() })
        .parse(JSON.parse(text)),
    ),
  /** Requests in flight of the whole deployment; 0: no ceiling. */
  REQUEST_CEILING: z.coerce.number(),
  /** JSON: the caps on recipients of a workspace that has none of its own. */
  RECIPIENT_CAPS: z
    .string()
    .transform((text) => z.strictObject({ perHour: z.number(), perDay: z.number() }).parse(JSON.parse(text))),
  /** Concurrent executions that the shares of the workers are computed from; for `npm run doctor`. */
  LAMBDA_CONCURRENCY: z.coerce.number(),
  /** Whether each workspace has an SES tenant. */
  SES_TENANTS: z.enum(['on', 'off']),
  /** JSON: base URLs of the mail providers that differ from the real ones (local run). */
  MAIL_PROVIDERS: z.string().default('{}'),
  /** JSON: the ARN of the secret of the shared OAuth app of each mail provider; empty: there is none. */
  SHARED_APPS: z
    .string()
    .transform((text) =>
      z.strictObject({ google: z.string(), microsoft: z.string() }).parse(JSON.parse(text)),
    ),
  /** Comma-separated `address:port` of DNS servers; empty: the system's. */
  DNS_SERVERS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
});

export type Environment = Omit<z.output<typeof shape>, 'QUEUE_URL_PREFIX'> & {
  /** The URL of each queue by its name. */
  readonly QUEUE_URLS: Readonly<Record<QueueName, string>>;
};
export type EnvironmentName = keyof z.output<typeof shape>;
export const environmentNames = Object.keys(shape.shape) as EnvironmentName[];

/** The one variable of a deployed function: JSON of all others, which the functions of a stack share. */
export const sharedEnvironmentName = 'ENVIRONMENT';

/** The variables of a function, those that it shares with others among them. */
export function flatEnvironment<Value extends string | undefined>(
  variables: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const { [sharedEnvironmentName]: shared = '{}', ...own } = variables;
  return { ...JSON.parse(shared), ...own };
}

let parsed: Environment | undefined;

/** The parsed environment. @throws ZodError where a variable is missing or invalid */
export function env(): Environment {
  parsed ??= parseEnvironment(flatEnvironment(process.env));
  return parsed;
}

/** @throws ZodError where a variable is missing or invalid */
export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const { QUEUE_URL_PREFIX: prefix, ...rest } = shape.parse(variables);
  const urls = Object.keys(queues).map((name) => [name, prefix + queueSuffix(name as QueueName)]);
  return { ...rest, QUEUE_URLS: Object.fromEntries(urls) };
}
