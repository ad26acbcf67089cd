/** The command line of `npm start`. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { integer, optionalInteger } from '../operator/values.ts';

export const help = `Usage: npm start -- [options]

  --port N            port of the API (default 3000; 0: a free port)
  --smtp-port N       port for inbound mail (default 2525)
  --dns-port N        port of the local DNS server (default 5300)
  --google-port N     port of the emulated Google (default 3001)
  --microsoft-port N  port of the emulated Microsoft (default 3002)
  --brand NAME        name in headers and documents (default Parley)
  --strict-webhooks   reject plain http and loopback webhook endpoints, as a deployment does
  --no-auto-dns       do not publish the DNS records of new domains below .test
  --data FOLDER       keep the table, objects, queues, schedules, DNS records, the clock and the API key
                      in FOLDER (default: in memory)
  --new-account       apply the limits of a new AWS account: SES 1 recipient a second and 200 a day,
                      10 concurrent Lambda executions; and the request budget and the caps on
                      recipients of a deployment (default: neither budget nor caps)
  --ses-rate N        SES recipients per second and region
  --ses-daily-quota N SES recipients per 24 hours and region
  --lambda-concurrency N
                      concurrent Lambda executions
  --anomalies         lag of secondary indexes, duplicates, transaction conflicts, failing copies and
                      set-up notifications, more often than in AWS
  --seed N            seed of the anomalies (default 1)
  --verbose           print the log lines of the functions
  --help`;

/** The servers of a run, each with the option of its port. */
export const portOptions = ['port', 'smtp-port', 'dns-port', 'google-port', 'microsoft-port'] as const;
export type PortOption = (typeof portOptions)[number];
export type Ports = Readonly<Record<PortOption, number>>;

export interface LocalOptions {
  /** 0: a free port. */
  readonly ports: Ports;
  readonly brand: string;
  readonly strictWebhooks: boolean;
  readonly autoDns: boolean;
  /** null: in memory. */
  readonly dataFolder: string | null;
  readonly newAccount: boolean;
  /** Undefined: the default of the limits. */
  readonly sesRate: number | undefined;
  readonly sesDailyQuota: number | undefined;
  readonly lambdaConcurrency: number | undefined;
  /** Seed of the anomalies; null: there are none. */
  readonly anomalies: number | null;
  readonly verbose: boolean;
}

const countMax = 999_999_999;
const portMax = 65_535;

/** @param args command line without node and script @returns null: the help is wanted @throws UsageError */
export function readOptions(args: readonly string[]): LocalOptions | null {
  const { values } = readArguments(args, {
    options: {
      port: { type: 'string', default: '3000' },
      'smtp-port': { type: 'string', default: '2525' },
      'dns-port': { type: 'string', default: '5300' },
      'google-port': { type: 'string', default: '3001' },
      'microsoft-port': { type: 'string', default: '3002' },
      brand: { type: 'string', default: 'Parley' },
      'strict-webhooks': { type: 'boolean', default: false },
      'no-auto-dns': { type: 'boolean', default: false },
      data: { type: 'string' },
      'new-account': { type: 'boolean', default: false },
      'ses-rate': { type: 'string' },
      'ses-daily-quota': { type: 'string' },
      'lambda-concurrency': { type: 'string' },
      anomalies: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  if (values.data === '') throw new UsageError('--data needs the name of a folder.');
  const port = (option: PortOption) => integer(option, values[option], 0, portMax);
  const count = (option: 'ses-rate' | 'ses-daily-quota' | 'lambda-concurrency') =>
    optionalInteger(option, values[option], 1, countMax);
  const seed = integer('seed', values.seed, 1, countMax);
  return {
    ports: distinct({
      port: port('port'),
      'smtp-port': port('smtp-port'),
      'dns-port': port('dns-port'),
      'google-port': port('google-port'),
      'microsoft-port': port('microsoft-port'),
    }),
    brand: values.brand,
    strictWebhooks: values['strict-webhooks'],
    autoDns: !values['no-auto-dns'],
    dataFolder: values.data ?? null,
    newAccount: values['new-account'],
    sesRate: count('ses-rate'),
    sesDailyQuota: count('ses-daily-quota'),
    lambdaConcurrency: count('lambda-concurrency'),
    anomalies: values.anomalies ? seed : null,
    verbose: values.verbose,
  };
}

/** @throws UsageError where two servers would have the same port */
function distinct(ports: Ports): Ports {
  for (const [at, option] of portOptions.entries()) {
    const other = portOptions.slice(0, at).find((one) => ports[one] !== 0 && ports[one] === ports[option]);
    if (other)
      throw new UsageError(`--${other} and --${option} are both ${ports[option]}: give one another port.`);
  }
  return ports;
}

/** Read without yargs, which takes longer to load than the rest of this command line. @throws UsageError */
function readArguments<const T extends Omit<ParseArgsConfig, 'args'>>(args: readonly string[], config: T) {
  try {
    return parseArgs<T & { args: string[] }>({ ...config, args: [...args] });
  } catch (error) {
    // Node goes on to advise on the syntax of its own parser.
    const [finding = ''] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${finding.replace(/\.$/, '')}.`, { cause: error });
  }
}
