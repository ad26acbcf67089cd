/** `npm run cost`: what a month costs, by AWS service, from the chains that `npm run bench -- --chain` measured. */
import { parseArgs } from 'node:util';
import { keptFigures } from './bench/chain-figures.ts';
import { forecast } from './bench/forecast.ts';
import type { Monitoring } from './bench/monitoring.ts';
import { pricesCheckedOn, sesEmail, sesEssentialsEmail } from './bench/prices.ts';
import type { SettingsCosts, WarmUnits } from './bench/settings-cost.ts';
import { standbyCosts } from './bench/standby-cost.ts';

const help = `Usage: npm run cost -- [options]

Prints the bill of a month by AWS service, in dollars: list prices of us-east-1 without free tiers.

  --emails N      emails sent in the month (1,000,000)
  --webhooks N    endpoints that each event goes to (1)
  --receive N     emails received in the month (0)
  --no-event-log  the workspace keeps no event log
  --standby       what a standby region adds (docs/regions.md)
  --lambda-concurrency N, --prewarm-send-functions N, --prewarm-emails-per-second N
                  what settings of the same name add (docs/cost.md)
  --json          prints JSON
  --help

An email has 5 KB and one recipient; attachments cost more, in S3 and SES. Storage is that after a year of such
months. docs/cost.md says how the figures are made.`;

const settingOptions = ['lambda-concurrency', 'prewarm-send-functions', 'prewarm-emails-per-second'] as const;

const values = read();
if (typeof values === 'string') {
  console.error(`${values}\n\n${help}`);
  process.exitCode = 2;
} else {
  console.log(values.help ? help : await billText(values));
}

async function billText(options: Options): Promise<string> {
  const month = {
    emails: Number(options.emails),
    endpoints: Number(options.webhooks),
    received: Number(options.receive),
    eventLog: !options['no-event-log'],
  };
  const figures = keptFigures();
  const services = forecast(month, figures);
  const dollars = services.reduce((sum, one) => sum + one.dollars, 0);
  const standby = options.standby ? standbyCosts(month, figures) : null;
  const settings = await settingsOf(options);
  const added = { ...(standby && { standby }), ...(settings && { settings }) };
  if (options.json) return JSON.stringify({ ...month, services, dollars, ...added }, null, 2);
  return [
    ...services.map((one) => line(one.service, one.dollars)),
    line('A month', dollars),
    ...(standby ? standbyLines(standby) : []),
    ...(settings ? settingsLines(settings) : []),
    `\n${planText(month.emails)}`,
    `\n${watchedText(figures.fixedUse.monitoring)}`,
    `\nChains measured on ${figures.measuredOn}, prices checked on ${pricesCheckedOn}.`,
  ].join('\n');
}

function standbyLines({ copies, dailyBackups }: ReturnType<typeof standbyCosts>): string[] {
  return [
    '\nA standby region',
    ...copies.map((one) => line(one.service, one.dollars)),
    line(
      'More a month',
      copies.reduce((sum, one) => sum + one.dollars, 0),
    ),
    line('Daily backups instead', dailyBackups),
  ];
}

/** New accounts have a plan; more than ten million emails a month cost less each. */
function planText(emails: number): string {
  const more = (emails * (sesEssentialsEmail.dollars - sesEmail.dollars)) / sesEmail.per;
  return `SES without a pricing plan; in the plan Essentials, which a new account has, at most ${more.toFixed(2)} more.`;
}

/** The costs of the settings that the options name; null: none. Loaded where asked: the shares of the workers take a second. */
async function settingsOf(options: Options): Promise<SettingsCosts | null> {
  if (settingOptions.every((name) => options[name] === undefined)) return null;
  const { settingsCosts } = await import('./bench/settings-cost.ts');
  return settingsCosts({
    lambdaConcurrency: Number(options['lambda-concurrency'] ?? 1000),
    prewarmSendFunctions: Number(options['prewarm-send-functions'] ?? 0),
    prewarmEmailsPerSecond: Number(options['prewarm-emails-per-second'] ?? 0),
  });
}

function settingsLines({ pollers, readyFunctions, warm }: SettingsCosts): string[] {
  const units = ({ write, read }: WarmUnits) =>
    `${write.toLocaleString('en-US')} write and ${read.toLocaleString('en-US')} read units a second`;
  return [
    '\nSettings',
    line('Lambda, ready functions', readyFunctions),
    line('Lambda, pollers', pollers.least),
    line('More a month', readyFunctions + pollers.least),
    ...(pollers.sources > 0
      ? [
          `Pollers of ${pollers.sources} event sources: the least. All of them would be ${pollers.most.toFixed(2)}.`,
        ]
      : []),
    ...(warm.table.write + warm.table.read > 0
      ? [
          `DynamoDB, warm throughput, once: ${units(warm.table)} of the table, ${units(warm.eachIndex)} of each index`,
          'above those of a new one. Its price is not known here: "Amazon DynamoDB pricing" shows it by script only.',
        ]
      : []),
  ];
}

/** What CloudWatch charges for, whatever is sent. Ten alarms and ten metrics of an account are free, too. */
function watchedText({ alarmMetrics, metrics, dashboardMetrics }: Monitoring): string {
  const dashboards = dashboardMetrics.map((count) => `${count}`).join(' and ');
  return `CloudWatch: alarms on ${alarmMetrics} metrics, ${metrics} metrics of our own, dashboards of ${dashboards} metrics.`;
}

type Options = Exclude<ReturnType<typeof read>, string>;

/** The options, or what is wrong with them. */
function read() {
  try {
    const { values } = parseArgs({
      options: {
        emails: { type: 'string', default: '1000000' },
        webhooks: { type: 'string', default: '1' },
        receive: { type: 'string', default: '0' },
        'no-event-log': { type: 'boolean', default: false },
        standby: { type: 'boolean', default: false },
        'lambda-concurrency': { type: 'string' },
        'prewarm-send-functions': { type: 'string' },
        'prewarm-emails-per-second': { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const wrong = (['emails', 'webhooks', 'receive', ...settingOptions] as const).find(
      (name) => !/^\d{1,12}$/.test(values[name] ?? '0'),
    );
    return wrong ? `--${wrong} must be a whole number of up to 12 digits` : values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function line(name: string, dollars: number): string {
  const amount = dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${name.padEnd(24)}${amount.padStart(16)}`;
}
