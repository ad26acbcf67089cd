/** The operator's command line: finds the command, checks its arguments, runs it, and records it in an audit log. */
import { toJson } from '../../clients/cli/src/terminal/clean.ts';
import {
  type Command,
  type Context,
  commandsWith,
  type Group,
  group,
} from '../../clients/cli/src/terminal/command.ts';
import { Refused } from '../../clients/cli/src/terminal/exit.ts';
import type { Program } from '../../clients/cli/src/terminal/program.ts';
import { type Result, resultText } from '../../clients/cli/src/terminal/tables.ts';
import { type Target, useTarget } from '../../lib/adapters/operator-target.ts';
import type { Workspace } from '../../lib/core/workspaces/workspace.ts';
import { completionCommand } from '../operator/completion.ts';
import { deploymentOptions, targetOf } from '../operator/deployment-options.ts';
import { explain } from '../operator/explain.ts';
import { quoted } from '../operator/values.ts';
import { auditCommands } from './audit-commands.ts';
import type { AdminCommand, Prepared } from './command.ts';
import { keyCommands } from './key-commands.ts';
import { memberCommands } from './member-commands.ts';
import { personCommands } from './person-commands.ts';
import { queueCommands } from './queue-commands.ts';
import { restoreCommands } from './restore-commands.ts';
import { traceCommand } from './trace-command.ts';
import { webhookCommands } from './webhook-commands.ts';
import { workspaceCommands } from './workspace-commands.ts';

/** Every command by its name: a noun and a verb, or one verb. */
export const commands: Readonly<Record<string, AdminCommand>> = {
  ...workspaceCommands,
  ...memberCommands,
  ...personCommands,
  ...keyCommands,
  ...webhookCommands,
  ...auditCommands,
  ...queueCommands,
  ...restoreCommands,
  trace: traceCommand,
};

const nouns: Readonly<Record<string, string>> = {
  workspace: 'Workspaces, their limits and settings',
  member: 'Members of a workspace, who sign in to its console and get mail about outages',
  person: 'Persons who write to a workspace, or get its mail',
  key: 'API keys of a workspace',
  webhook: 'Webhook endpoints of a workspace',
  audit: 'Audit logs of a workspace and of the deployment',
  queue: 'Dead-letter queues',
  domain: 'Domains of all workspaces',
  outbox: 'Messages that follow changes of the table',
  restore: 'A table that was restored to an earlier time',
};

/** @param connect makes this process work on a deployment; tests are connected already */
export function adminProgram(connect: (target: Target) => Promise<void> = useTarget): Program {
  return {
    name: 'npm run admin --',
    summary: 'Manages workspaces, members, API keys, endpoints and queues of a deployment.',
    epilogue:
      'npm run admin -- <command> --help shows the commands of a noun, and the options of a command, with examples.\n' +
      'Against AWS the usual credentials are used (environment, profile, role).\n' +
      'The exit code is 0 when the command is done, 1 when it failed or was refused, 2 when the command line is wrong.\n' +
      'docs/administration.md tells more.',
    commands: [
      ...Object.entries(nouns).map(([noun, summary]) => groupOf(noun, summary, connect)),
      commandOf('trace', traceCommand, connect),
      completionCommand,
    ],
    explain,
  };
}

const verbOf = (name: string): string => name.split(' ')[1] ?? name;

const command = commandsWith(deploymentOptions);

function groupOf(noun: string, summary: string, connect: (target: Target) => Promise<void>): Group {
  const ofNoun = Object.entries(commands).filter(([name]) => name.startsWith(`${noun} `));
  return group({
    name: noun,
    summary: `${summary}: ${ofNoun.map(([name]) => verbOf(name)).join(', ')}.`,
    commands: ofNoun.map(([name, spec]) => commandOf(name, spec, connect)),
  });
}

function commandOf(
  name: string,
  { summary, details, positionals, options, examples, prepare }: AdminCommand,
  connect: (target: Target) => Promise<void>,
): Command {
  return command({
    name: verbOf(name),
    summary,
    ...(details !== undefined && { details }),
    ...(positionals && { positionals }),
    options,
    examples,
    run: async (values, { terminal }) => {
      const prepared = await prepare(name, values);
      const target = targetOf(values);
      await logErrorsTo(terminal);
      await connect(target);
      const result = await runCommand(prepared);
      terminal.print(values.json ? toJson(result) : resultText(result, terminal));
    },
  });
}

/** The result and the audit log tell what was done. */
async function logErrorsTo(terminal: Context['terminal']): Promise<void> {
  const { logTo } = await import('../../lib/observability/log.ts');
  logTo((line) => JSON.parse(line).level === 'ERROR' && terminal.note(toJson(JSON.parse(line), 0)));
}

/** Runs a command on the target of this process, and records it where it changes something. */
async function runCommand(prepared: Prepared): Promise<Result> {
  const workspace = await workspaceOf(prepared);
  const { isAudited, isAuditedFirst } = prepared;
  if (isAudited && isAuditedFirst) await record(prepared, workspace);
  const result = await prepared.run(workspace);
  if (isAudited && !isAuditedFirst) await record(prepared, workspace);
  return result;
}

async function record({ audited }: Prepared, workspace: Workspace | null): Promise<void> {
  const { recordCommand } = await import('../../lib/services/workspaces/audit.ts');
  await recordCommand(workspace?.id ?? null, audited);
}

async function workspaceOf({ subject, takesErased }: Prepared): Promise<Workspace | null> {
  if (subject.kind === 'deployment') return null;
  const { findWorkspace } = await import('../../lib/services/workspaces/workspaces.ts');
  const workspace = await findWorkspace(subject.slug);
  if (!workspace) {
    throw new Refused(`There is no workspace ${quoted(subject.slug)}.`, 'workspace list shows all of them.');
  }
  if (workspace.erasedAt !== null && !takesErased) {
    throw new Refused(
      `The workspace "${subject.slug}" is being erased.`,
      'workspace show tells how far it is.',
    );
  }
  return workspace;
}
