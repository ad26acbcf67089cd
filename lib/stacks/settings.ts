/** The settings of a deployment (contract, section 1): names, defaults, and the one place that reads them. */
import * as z from 'zod';

const region = z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'is no AWS region, e.g. eu-central-1');
const domain = z
  .string()
  .regex(
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'is no domain name in lower case',
  );
const emptyOr = <S extends z.ZodType>(schema: S) => z.union([z.literal(''), schema]);
/** `-c mailRegions=a,b` on the command line, a list in process. */
const regions = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value),
  z.array(region).min(1, 'names no region'),
);

const shape = {
  /** Begins the name of every stack and, in lower case, of every resource with a name. */
  prefix: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,15}$/, 'takes a letter and up to 15 letters and digits')
    .default('Parley'),
  /** Empty: the account of the credentials that deploy. */
  account: emptyOr(z.string().regex(/^\d{12}$/, 'is no account id of 12 digits')).default(''),
  brand: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, 'takes a letter and up to 31 letters, digits and hyphens')
    .default('Parley'),
  apiBaseUrl: emptyOr(z.url({ protocol: /^https?$/, error: 'is no URL' })).default(''),
  docsUrl: emptyOr(z.url({ protocol: /^https?$/, error: 'is no URL' })).default(''),
  providedDomain: emptyOr(domain).default(''),
  mailRegions: regions.default(['us-east-1', 'eu-central-1']),
  /** Default: the first of `mailRegions`. */
  defaultRegion: region.optional(),
  /** Where the table lies and the functions run. Default: `defaultRegion`. */
  homeRegion: region.optional(),
  /** Default: `no-reply@<providedDomain>`. */
  supportEmail: emptyOr(z.email('is no email address')).optional(),
  /** Gets the alarms of every region; empty: nobody is subscribed. */
  alarmEmail: emptyOr(z.email('is no email address')).default(''),
};

/** What only the local cloud sets, in process: never from the command line. */
const local = z.strictObject({
  allowInsecureWebhooks: z.boolean().default(false),
  /** `address:port` each. */
  dnsServers: z.array(z.string()).default([]),
});

const schema = z
  .strictObject({ ...shape, local: local.prefault({}) })
  .transform(({ defaultRegion, homeRegion, supportEmail, ...rest }) => {
    const byDefault = defaultRegion ?? rest.mailRegions[0] ?? '';
    return {
      ...rest,
      defaultRegion: byDefault,
      homeRegion: homeRegion ?? byDefault,
      supportEmail: supportEmail ?? (rest.providedDomain && `no-reply@${rest.providedDomain}`),
    };
  })
  .refine((settings) => settings.mailRegions.includes(settings.defaultRegion), {
    path: ['defaultRegion'],
    error: 'is none of mailRegions',
  })
  .refine((settings) => new Set(settings.mailRegions).size === settings.mailRegions.length, {
    path: ['mailRegions'],
    error: 'names a region twice',
  });

export type Settings = z.output<typeof schema>;
export type SettingsInput = z.input<typeof schema>;

/** Settings that cannot be deployed; the message has a line for each, for the person at the command line. */
export class SettingsRefused extends Error {}

/**
 * Checked settings, defaults filled in.
 *
 * @throws SettingsRefused naming each setting and what is wrong with it
 */
export function settingsOf(input: SettingsInput): Settings {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    (issue) => `  ${issue.path.join('.') || 'settings'}: ${issue.message}`,
  );
  throw new SettingsRefused(`These settings cannot be deployed:\n${lines.join('\n')}`);
}

/**
 * The settings in a CDK context (`cdk deploy -c providedDomain=mail.example.com`); what else is in there is CDK's.
 *
 * @throws SettingsRefused
 */
export function settingsFromContext(read: (name: string) => unknown): Settings {
  const given = Object.keys(shape)
    .map((name) => [name, read(name)] as const)
    .filter(([, value]) => value !== undefined);
  return settingsOf(Object.fromEntries(given));
}
