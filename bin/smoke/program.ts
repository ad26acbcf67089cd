/** The command line of `npm run smoke`. */
import { commandsWith } from '../../clients/cli/src/terminal/command.ts';
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import type { Program } from '../../clients/cli/src/terminal/program.ts';
import { normalizeAddress } from '../../lib/mail/addresses/addresses.ts';
import { deploymentOptions, targetOf } from '../operator/deployment-options.ts';
import { explain } from '../operator/explain.ts';
import { integer, quoted } from '../operator/values.ts';

const waitSecondsByDefault = 120;
const waitSecondsMax = 3600;

export function smokeProgram(): Program {
  return {
    name: 'npm run smoke --',
    summary: 'Sends and receives real messages through a deployment.',
    epilogue:
      'A workspace "smoke-…" is created, and erased at the end, also when the command is interrupted. Some thirty messages are ' +
      'sent; most of them go to the mailbox simulator of SES. The exit code is 0 where every question is settled as the code ' +
      'assumes, 1 where an answer differs or settles nothing, or nothing could be asked, 2 when the command line is wrong. The ' +
      'usual AWS credentials are used; they need the permissions of npm run admin, and ses:SendRawEmail, ses:GetAccount, ' +
      'scheduler:CreateSchedule, scheduler:DeleteSchedule, iam:PassRole.',
    commands: commandsWith(deploymentOptions)({
      name: 'smoke',
      summary: 'Sends and receives real messages through a deployment.',
      details:
        'It prints what AWS answered where its documentation leaves something open. An answer that is about something else, such ' +
        'as the sandbox of SES, throttling or the network, settles nothing.',
      options: {
        to: {
          type: 'string',
          demandOption: true,
          describe: 'recipient outside of the deployment; in the SES sandbox a verified address',
        },
        api: {
          type: 'string',
          describe: 'the API, as in the output ApiUrl; needed where the setting apiBaseUrl is empty',
        },
        wait: {
          type: 'string',
          default: String(waitSecondsByDefault),
          describe: 'longest wait for a message, in seconds',
        },
      },
      examples: [
        ['--region us-east-1 --to you@example.com --api https://api.acme.dev', 'a deployment'],
        ['--local --to success@simulator.amazonses.com --wait 20', 'the local run'],
      ],
      endsItself: true,
      run: async (values, { terminal, signal }) => {
        const to = normalizeAddress(values.to);
        if (!to) throw new UsageError(`--to: ${quoted(values.to)} is no email address.`);
        const options = {
          ...targetOf(values),
          to,
          api: readUrl(values.api),
          waitSeconds: integer('wait', values.wait, 0, waitSecondsMax),
        };
        const { runSmoke } = await import('./run-smoke.ts');
        return await runSmoke(options, { terminal, isJson: values.json === true, stop: signal });
      },
    }),
    explain,
  };
}

function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new UsageError('--api is a URL, such as https://api.acme.dev.');
  }
  return text.replace(/\/+$/, '');
}
