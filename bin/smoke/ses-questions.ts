/** What SES does with messages at its limits. They go to the mailbox simulator, which no person reads. */
import { GetAccountCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { clientConfig } from '../../lib/adapters/aws-clients.ts';
import {
  type Answer,
  answered,
  asAssumed,
  type Deployed,
  notAsked,
  type Question,
  words,
} from './question.ts';

const simulator = 'success@simulator.amazonses.com';
const requestMs = 60_000;

const clientOf = ({ region }: Deployed) =>
  new SESv2Client({ region, ...clientConfig({ requestMs, maxAttempts: 1 }) });

/** Sends a message as it is; SES's answer. */
async function submit(
  deployed: Deployed,
  headers: readonly string[],
  options: { readonly configurationSet?: string } = {},
): Promise<{ readonly isAccepted: boolean; readonly answer: string }> {
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
    return { isAccepted: true, answer: `accepted as ${MessageId}` };
  } catch (error) {
    return { isAccepted: false, answer: words(error) };
  } finally {
    client.destroy();
  }
}

/** More than the 50 recipients of a call. */
const namedRecipients = 60;

export const manyNamedRecipients: Question = {
  title: `A message whose To header names ${namedRecipients} addresses, with one recipient in Destination`,
  async ask(deployed) {
    const named = Array.from({ length: namedRecipients }, (_, at) => `success+${at}@simulator.amazonses.com`);
    const { isAccepted, answer } = await submit(deployed, [`To: ${named.join(',\r\n ')}`]);
    return asAssumed(isAccepted, answer);
  },
};

export const configurationSetHeader: Question = {
  title: 'The header X-SES-CONFIGURATION-SET beside the field ConfigurationSetName',
  async ask(deployed) {
    const headers = [`To: ${simulator}`, `X-SES-CONFIGURATION-SET: smoke-${deployed.run}-missing`];
    const { configurationSet } = deployed;
    const { isAccepted, answer } = await submit(deployed, headers, { configurationSet });
    const winner = isAccepted ? 'the field wins' : 'the header counts';
    return answered(`${winner}: ${answer} (the API refuses such headers of customers)`);
  },
};

const megabyte = 1_000_000;
const lineLength = 900;

export const largeHeaders: Question = {
  title: 'Messages with 1, 2 and 4 MB of headers',
  async ask(deployed) {
    const answers: string[] = [];
    for (const size of [1, 2, 4]) {
      const lines = Math.ceil((size * megabyte) / lineLength);
      const filler = Array.from(
        { length: lines },
        (_, at) => `X-Smoke-${at}: ${'x'.repeat(lineLength - 20)}`,
      );
      const { answer } = await submit(deployed, [`To: ${simulator}`, ...filler]);
      answers.push(`${size} MB ${answer}`);
    }
    return answered(answers.join('; '));
  },
};

/** A burst above this rate would take seconds and cost a part of the quota. */
const burstRateMax = 50;

export const throttlingError: Question = {
  title: 'The error of a sending rate that is exceeded',
  async ask(deployed): Promise<Answer> {
    const client = clientOf(deployed);
    const { SendQuota } = await client.send(new GetAccountCommand({}));
    client.destroy();
    const rate = SendQuota?.MaxSendRate ?? 0;
    if (rate > burstRateMax) {
      return notAsked(
        `SES allows ${rate} emails a second; a burst above it would use up too much of the quota.`,
      );
    }
    const burst = Array.from({ length: 3 * Math.ceil(rate) + 2 }, () =>
      submit(deployed, [`To: ${simulator}`]),
    );
    const refused = (await Promise.all(burst)).find(({ isAccepted }) => !isAccepted);
    if (!refused) return answered(`${burst.length} messages at once were accepted at ${rate} a second`);
    return asAssumed(/maximum sending rate|throttl|TooManyRequests/i.test(refused.answer), refused.answer);
  },
};
