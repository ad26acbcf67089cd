/** Asks a deployment what the documentation of AWS leaves open, with real messages. */
import { cleanLine, toJson } from '../../clients/cli/src/terminal/clean.ts';
import { type ExitCode, Refused, UsageError } from '../../clients/cli/src/terminal/exit.ts';
import type { Terminal } from '../../clients/cli/src/terminal/terminal.ts';
import { now } from '../../lib/adapters/clock.ts';
import { type Target, useTarget } from '../../lib/adapters/operator-target.ts';
import type { Workspace } from '../../lib/core/workspaces/workspace.ts';
import { env } from '../../lib/env.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { eraseWorkspace } from '../../lib/services/workspaces/erase-workspace.ts';
import { createWorkspace } from '../../lib/services/workspaces/workspaces.ts';
import { localApi } from '../local/local-api.ts';
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

export interface Options extends Target {
  readonly to: string;
  /** URL without a trailing slash; undefined: the setting `apiBaseUrl`. */
  readonly api: string | undefined;
  readonly waitSeconds: number;
}

interface Output {
  readonly terminal: Terminal;
  /** One object at the end; the lines go to stderr. */
  readonly isJson: boolean;
  /** Ends the run early; the workspace is erased all the same. */
  readonly stop: AbortSignal;
}

interface Answered {
  readonly title: string;
  readonly verdict: Conclusion['verdict'] | 'not settled';
  readonly means: string | null;
  readonly answer: string;
}

/**
 * @returns 0: every question is settled as the code assumes; 1: not; 130: stopped
 * @throws NoTarget, UsageError, Refused
 */
export async function runSmoke(options: Options, output: Output): Promise<ExitCode> {
  await useTarget(options);
  const baseUrl = (options.api ?? (options.local ? localApi() : env().API_BASE_URL)).replace(/\/$/, '');
  const suffix = env().PROVIDED_DOMAIN;
  if (!baseUrl) throw new UsageError('Give the URL of the API with --api.');
  if (!suffix) throw new Refused('The deployment has no provided domain to send from.');
  const { terminal, isJson } = output;
  const print = (line: string) => (isJson ? terminal.note(line) : terminal.print(line));
  const run = now().toString(36);
  const slug = `smoke-${run}`;
  const workspace = await createWorkspace({ slug, name: 'Smoke test' });
  let isErased = false;
  const answers: Answered[] = [];
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
    for await (const answer of answersOf(deployed, output.stop)) {
      answers.push(answer);
      print(`${marks[answer.verdict]}: ${answer.title}`);
      print(`    ${cleanLine(`${answer.means ? `${answer.means}: ` : ''}${answer.answer}`)}`);
    }
  } finally {
    isErased = await erase(workspace, print);
  }
  const count = (verdict: Answered['verdict']) => answers.filter((one) => one.verdict === verdict).length;
  const counts = {
    questions: answers.length,
    differing: count('differs'),
    not_settled: count('not settled'),
  };
  const isWhole = answers.length === questions.length;
  print(isWhole ? summaryOf(counts) : 'stopped');
  if (isJson) terminal.print(toJson({ answers, ...counts, stopped: !isWhole, erased: isErased }));
  if (!isWhole) return 130;
  return counts.differing + counts.not_settled === 0 && isErased ? 0 : 1;
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

function summaryOf(counts: { questions: number; differing: number; not_settled: number }): string {
  return `${counts.questions} questions, ${counts.differing} answers differ from what the code assumes, ${counts.not_settled} not settled`;
}

const marks: Readonly<Record<Answered['verdict'], string>> = {
  'as assumed': 'as assumed',
  answered: 'answered',
  'not asked': 'not asked',
  differs: 'DIFFERS',
  'not settled': 'NOT SETTLED',
};

/** The answers one by one, until all questions are asked or the run is stopped. */
async function* answersOf(deployed: Deployed, stop: AbortSignal): AsyncGenerator<Answered> {
  const stopped = new Promise<null>((resolve) => stop.addEventListener('abort', () => resolve(null)));
  for (const question of questions) {
    const answer = stop.aborted ? null : await Promise.race([answerTo(question, deployed), stopped]);
    if (answer === null) return;
    const conclusion = conclude(question, answer);
    yield {
      title: question.title,
      verdict: conclusion?.verdict ?? 'not settled',
      means: conclusion?.means ?? null,
      answer,
    };
  }
}

/** The answer, or why there is none: an error settles only what it is about. */
async function answerTo(question: Question, deployed: Deployed): Promise<string> {
  try {
    return await question.ask(deployed);
  } catch (error) {
    return words(error);
  }
}
