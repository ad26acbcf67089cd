/** What SES does with messages at its limits. They go to the mailbox simulator, which no person reads. */
import { GetAccountCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import { answered, asAssumed, type Deployed, differs, notAsked, type Question, words } from './question.ts';

const simulator = 'success@simulator.amazonses.com';
const requestMs = 60_000;

const clientOf = ({ region }: Deployed) =>
  new SESv2Client({ region, ...clientConfig({ requestMs, maxAttempts: 1 }) });

/** Sends a message as it is; SES's answer. */
async function submit(
  deployed: Deployed,
  headers: readonly string[],
  options: { readonly configurationSet?: string } = {},
): Promise<string> {
  const from = `smoke@${deployed.domain}`;
  const lines = [
    `From: ${from}`,
    `Subject: smoke ${deployed.run}`,
    'MIME-Version: 1.0',
    ...headers,
    '',
    'smoke',
    '',
  ];
  const client = clientOf(deployed);
  try {
    const { MessageId } = await client.send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [simulator] },
        Content: { Raw: { Data: Buffer.from(lines.join('\r\n')) } },
        ...(options.configurationSet && { ConfigurationSetName: options.configurationSet }),
      }),
    );
    return `accepted as ${MessageId}`;
  } catch (error) {
    return words(error);
  } finally {
    client.destroy();
  }
}

/** More than the 50 recipients of a call. */
const namedRecipients = 60;

export const manyNamedRecipients: Question = {
  title: `A message whose To header names ${namedRecipients} addresses, with one recipient in Destination`,
  settledBy: [
    asAssumed(/^accepted as /, 'the addresses of the header do not count'),
    differs(/recipient count|too many recipients/i, 'the addresses of the header count'),
  ],
  async ask(deployed) {
    const named = Array.from({ length: namedRecipients }, (_, at) => `success+${at}@simulator.amazonses.com`);
    return await submit(deployed, [`To: ${named.join(',\r\n ')}`]);
  },
};

/** The API refuses such headers of customers. */
export const configurationSetHeader: Question = {
  title: 'The header X-SES-CONFIGURATION-SET beside the field ConfigurationSetName',
  settledBy: [
    answered(/^accepted as /, 'the field wins'),
    answered(/configuration set <?smoke-\w+-missing>? does not exist/i, 'the header counts'),
  ],
  async ask(deployed) {
    const headers = [`To: ${simulator}`, `X-SES-CONFIGURATION-SET: smoke-${deployed.run}-missing`];
    return await submit(deployed, headers, { configurationSet: deployed.configurationSet });
  },
};

const megabyte = 1_000_000;
const lineLength = 900;

export const largeHeaders: readonly Question[] = [1, 2, 4].map((megabytes) => ({
  title: `A message with ${megabytes} MB of headers`,
  settledBy: [
    answered(/^accepted as /, 'it is accepted'),
    answered(/\bheaders?\b|\b(length|size)\b.*\bexceed|\btoo (large|long|big|many)\b/i, 'it is refused'),
  ],
  async ask(deployed) {
    const lines = Math.ceil((megabytes * megabyte) / lineLength);
    const filler = Array.from({ length: lines }, (_, at) => `X-Smoke-${at}: ${'x'.repeat(lineLength - 20)}`);
    return await submit(deployed, [`To: ${simulator}`, ...filler]);
  },
}));

/** A burst above this rate would take seconds and cost a part of the quota. */
const burstRateMax = 50;

export const throttlingError: Question = {
  title: 'The error of a sending rate that is exceeded',
  settledBy: [
    asAssumed(
      /maximum sending rate exceeded|TooManyRequestsException(?!.*\bdaily\b)/i,
      'the code knows it as throttling',
    ),
    notAsked(/^SES allows \d+ emails a second;/, 'the rate is too high'),
  ],
  async ask(deployed) {
    const client = clientOf(deployed);
    const { SendQuota } = await client.send(new GetAccountCommand({}));
    client.destroy();
    const rate = SendQuota?.MaxSendRate ?? 0;
    if (rate > burstRateMax) {
      return `SES allows ${rate} emails a second; a burst above it would use up too much of the quota`;
    }
    const burst = Array.from({ length: 3 * Math.ceil(rate) + 2 }, () =>
      submit(deployed, [`To: ${simulator}`]),
    );
    const refused = (await Promise.all(burst)).filter((answer) => !answer.startsWith('accepted'));
    if (refused.length === 0) return `${burst.length} messages at once were accepted at ${rate} a second`;
    return [...new Set(refused)].join('; ');
  },
};
