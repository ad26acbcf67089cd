/** `npm run smoke`: asks a deployment what the documentation of AWS leaves open, with real messages. */
import { now } from '../../lib/adapters/clock.ts';
import { NoTarget, type Target, useTarget } from '../../lib/adapters/operator-target.ts';
import type { Workspace } from '../../lib/core/workspaces/workspace.ts';
import { env } from '../../lib/env.ts';
import { normalizeAddress } from '../../lib/mail/addresses/addresses.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { eraseWorkspace } from '../../lib/services/workspaces/erase-workspace.ts';
import { createWorkspace } from '../../lib/services/workspaces/workspaces.ts';
import { readArguments, Usage } from '../options.ts';
import { authenticateHeader, dnsFromLambda, health, largeRequest } from './api-questions.ts';
import { longChain } from './chain-question.ts';
import { deepSubdomain, receiving, sending, wireMessageId } from './mail-questions.ts';
import { type Conclusion, conclude, type Deployed, type Question, words } from './question.ts';
import { pastSchedule } from './scheduler-question.ts';
import {
  configurationSetHeader,
  largeHeaders,
  manyNamedRecipients,
  throttlingError,
} from './ses-questions.ts';

const help = `Usage: npm run smoke -- --region R --to ADDRESS [options]

Sends and receives real messages through a deployment, and prints what AWS answered where its documentation
leaves something open. An answer that is about something else, such as the sandbox of SES, throttling or the
network, settles nothing. The exit code is 0 where every question is settled as the code assumes, 1 where an
answer differs or settles nothing, 2 where nothing could be asked.

  --to ADDRESS         a recipient outside of the deployment; in the SES sandbox a verified address
  --region R           the home region of the deployment; else AWS_REGION
  --api URL            the API, as in the output ApiUrl; needed where the setting apiBaseUrl is empty
  --stack-prefix P     the deployment's prefix, when it is not the default
  --wait SECONDS       the longest wait for a message; default 120
  --local              the local run that npm start keeps up
  --help

A workspace "smoke-…" is created, and erased at the end. Some thirty messages are sent; most of them go to the
mailbox simulator of SES. The usual AWS credentials are used; they need the permissions of npm run admin, and
ses:SendRawEmail, ses:GetAccount, scheduler:CreateSchedule, scheduler:DeleteSchedule, iam:PassRole.`;

/** In order: what the others need first. */
export const questions: readonly Question[] = [
  health,
  authenticateHeader,
  sending,
  receiving,
  wireMessageId,
  deepSubdomain,
  dnsFromLambda,
  largeRequest,
  manyNamedRecipients,
  configurationSetHeader,
  ...largeHeaders,
  throttlingError,
  pastSchedule,
  longChain,
];

const waitSecondsByDefault = 120;

interface Options extends Target {
  readonly to: string;
  readonly api: string | undefined;
  readonly waitSeconds: number;
}

/**
 * @param args command line without node and script
 * @param print takes the lines one by one: a run takes minutes
 * @param stop ends the run early; the workspace is erased all the same
 * @returns the exit code
 */
export async function runSmoke(
  args: readonly string[],
  print: (line: string) => void,
  stop: AbortSignal,
): Promise<0 | 1 | 2> {
  try {
    const options = readOptions(args);
    if (!options) {
      print(help);
      return 0;
    }
    await useTarget(options);
    return await smoke(options, print, stop);
  } catch (error) {
    if (error instanceof Usage) print(`${error.message} See npm run smoke -- --help.`);
    else if (error instanceof NoTarget) print(`${error.message}.`);
    else throw error;
    return 2;
  }
}

/** @throws Usage */
async function smoke(options: Options, print: (line: string) => void, stop: AbortSignal): Promise<0 | 1> {
  const baseUrl = (options.api ?? env().API_BASE_URL).replace(/\/$/, '');
  const suffix = env().PROVIDED_DOMAIN;
  if (!baseUrl) throw new Usage('Give the URL of the API with --api.');
  if (!suffix) throw new Usage('The deployment has no provided domain to send from.');
  const run = now().toString(36);
  const slug = `smoke-${run}`;
  const workspace = await createWorkspace({ slug, name: 'Smoke test' });
  let isErased = false;
  let isPassed = false;
  try {
    const { token } = await createKey(workspace.id, { name: 'npm run smoke', scope: 'full' });
    const deployed = {
      baseUrl,
      key: token,
      workspaceId: workspace.id,
      domain: `${slug}.${suffix}`,
      region: env().DEFAULT_REGION,
      configurationSet: env().CONFIGURATION_SET,
      to: options.to,
      run,
      patienceMs: options.waitSeconds * 1000,
    };
    isPassed = await askAll(deployed, print, stop);
  } finally {
    isErased = await erase(workspace, print);
  }
  return isPassed && isErased ? 0 : 1;
}

/** Whether the workspace is erased; where it is not, the operator is told how. */
async function erase(workspace: Workspace, print: (line: string) => void): Promise<boolean> {
  const { slug, id } = workspace;
  try {
    await eraseWorkspace(workspace, `smoke: workspace erase ${slug} ${id}`);
    return true;
  } catch (error) {
    print(`The workspace ${slug} could not be erased: ${words(error)}`);
    print(`    npm run admin -- workspace erase --workspace ${slug} --confirm ${slug}`);
    return false;
  }
}

/** Whether every question is settled as the code assumes. */
async function askAll(
  deployed: Deployed,
  print: (line: string) => void,
  stop: AbortSignal,
): Promise<boolean> {
  let differing = 0;
  let open = 0;
  const stopped = new Promise<null>((resolve) => stop.addEventListener('abort', () => resolve(null)));
  for (const question of questions) {
    const answer = stop.aborted ? null : await Promise.race([answerTo(question, deployed), stopped]);
    if (answer === null) {
      print('stopped');
      return false;
    }
    const conclusion = conclude(question, answer);
    if (!conclusion) open += 1;
    if (conclusion?.verdict === 'differs') differing += 1;
    print(`${shown(conclusion?.verdict)}: ${question.title}`);
    print(`    ${conclusion ? `${conclusion.means}: ` : ''}${answer}`);
  }
  print(
    `${questions.length} questions, ${differing} answers differ from what the code assumes, ${open} not settled`,
  );
  return differing + open === 0;
}

function shown(verdict: Conclusion['verdict'] | undefined): string {
  if (!verdict) return 'NOT SETTLED';
  return verdict === 'differs' ? 'DIFFERS' : verdict;
}

/** The answer, or why there is none: an error settles only what it is about. */
async function answerTo(question: Question, deployed: Deployed): Promise<string> {
  try {
    return await question.ask(deployed);
  } catch (error) {
    return words(error);
  }
}

/** The options; null: the help is asked for. @throws Usage */
function readOptions(args: readonly string[]): Options | null {
  const { values } = readArguments(args, {
    options: {
      to: { type: 'string' },
      region: { type: 'string' },
      api: { type: 'string' },
      'stack-prefix': { type: 'string' },
      wait: { type: 'string', default: String(waitSecondsByDefault) },
      local: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const to = normalizeAddress(values.to ?? '');
  if (!to) throw new Usage('Name the recipient with --to ADDRESS.');
  const waitSeconds = Number(values.wait);
  if (!(waitSeconds >= 0)) throw new Usage('--wait is a number of seconds.');
  const { api, region, local, 'stack-prefix': prefix } = values;
  return { to, waitSeconds, api, region, prefix, local };
}
