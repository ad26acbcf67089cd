/** The operator's command line: finds the command, checks its arguments, runs it, and records it in an audit log. */
import { NoTarget, type Target, useTarget } from '../lib/adapters/operator-target.ts';
import { Problem } from '../lib/core/problems.ts';
import type { Workspace } from '../lib/core/workspaces/workspace.ts';
import { recordCommand } from '../lib/services/workspaces/audit.ts';
import { findWorkspace, SlugRefused } from '../lib/services/workspaces/workspaces.ts';
import { auditCommands } from './audit-commands.ts';
import {
  type Command,
  commonOptions,
  helpOf,
  optionLines,
  type Prepared,
  parseCommandLine,
  type Result,
} from './command.ts';
import { keyCommands } from './key-commands.ts';
import { memberCommands } from './member-commands.ts';
import { Refused, Usage } from './options.ts';
import { textOf } from './print-result.ts';
import { queueCommands } from './queue-commands.ts';
import { webhookCommands } from './webhook-commands.ts';
import { workspaceCommands } from './workspace-commands.ts';

/** Every command by its name: a noun and a verb. */
export const commands: Readonly<Record<string, Command>> = {
  ...workspaceCommands,
  ...memberCommands,
  ...keyCommands,
  ...webhookCommands,
  ...auditCommands,
  ...queueCommands,
};

/**
 * Runs a command line.
 *
 * @param args command line without node and script
 * @returns what it prints
 * @throws what `refusalOf` explains, or an internal error
 */
export async function runAdmin(args: readonly string[]): Promise<string> {
  const read = readCommandLine(args);
  if ('help' in read) return read.help;
  await useTarget(read.target);
  return textOf(await runCommand(read.prepared), read.isJson);
}

/** What a command line asks for: a command with checked arguments, or help. @throws Usage */
export function readCommandLine(
  args: readonly string[],
):
  | { readonly help: string }
  | { readonly prepared: Prepared; readonly target: Target; readonly isJson: boolean } {
  const words = leadingWords(args);
  const isHelp = args.length === 0 || args.includes('--help');
  if (words.length === 0 && isHelp) return { help: overview(Object.keys(commands)) };
  const name = words.slice(0, 2).join(' ');
  const command = commands[name];
  if (!command) {
    const ofNoun = Object.keys(commands).filter((known) => known.startsWith(`${words[0]} `));
    if (isHelp && ofNoun.length > 0 && words.length === 1) return { help: overview(ofNoun) };
    throw noCommand(name, words[0], ofNoun);
  }
  if (isHelp) return { help: helpOf(name, command) };
  if (words.length > 2) throw new Usage(`"${words[2]}" is no part of ${name}.`);
  const values = parseCommandLine(args.slice(2), command.options);
  return {
    prepared: command.prepare(name, values),
    target: {
      local: values.local === true,
      prefix: textValue(values['stack-prefix']),
      region: textValue(values.region),
    },
    isJson: values.json === true,
  };
}

/** Runs a command on the target of this process, and records it where it changes something. */
export async function runCommand(prepared: Prepared): Promise<Result> {
  const workspace = await workspaceOf(prepared);
  const result = await prepared.run(workspace);
  if (prepared.isAudited) await recordCommand(workspace?.id ?? null, prepared.audited);
  return result;
}

async function workspaceOf({ subject, takesErased }: Prepared): Promise<Workspace | null> {
  if (subject.kind === 'deployment') return null;
  const workspace = await findWorkspace(subject.slug);
  if (!workspace) throw new Refused(`There is no workspace "${subject.slug}".`);
  if (workspace.erasedAt !== null && !takesErased) {
    throw new Refused(`The workspace "${subject.slug}" is being erased.`);
  }
  return workspace;
}

/** The words before the first option: a command. */
function leadingWords(args: readonly string[]): readonly string[] {
  const first = args.findIndex((arg) => arg.startsWith('-'));
  return first < 0 ? args : args.slice(0, first);
}

function textValue(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function noCommand(name: string, noun: string | undefined, ofNoun: readonly string[]): Usage {
  const verbs = ofNoun.map((known) => known.split(' ')[1]).join(', ');
  const hint = verbs ? ` ${noun} has: ${verbs}.` : '';
  return new Usage(
    name ? `There is no command "${name}".${hint}` : 'A command begins with a noun and a verb.',
  );
}

function overview(names: readonly string[]): string {
  const width = Math.max(...names.map(({ length }) => length));
  const lines = names.map((name) => {
    const [first = ''] = (commands[name]?.summary ?? '').split('\n');
    return `  ${name.padEnd(width)}  ${first}`;
  });
  return [
    'Usage: npm run admin -- <command> [options]',
    '',
    ...lines,
    '',
    'npm run admin -- <command> --help shows the options of a command, with examples.',
    '',
    'Options of every command:',
    ...optionLines(commonOptions),
    '',
    'Against AWS the usual credentials are used (environment, profile, role). The exit code is 0 when the command is done,',
    '1 when the deployment refuses it, 2 when the command line is wrong.',
  ].join('\n');
}

/** One line for what the operator can mend, with the exit code; null for what is ours. */
export function refusalOf(error: unknown): { readonly line: string; readonly exitCode: 1 | 2 } | null {
  if (error instanceof Usage) return { line: `${error.message} See npm run admin -- --help.`, exitCode: 2 };
  const line = refusedLine(error);
  return line === null ? null : { line, exitCode: 1 };
}

function refusedLine(error: unknown): string | null {
  if (error instanceof Refused || error instanceof Problem) return error.message;
  if (error instanceof SlugRefused || error instanceof NoTarget) return `${error.message}.`;
  if ((error as { code?: unknown }).code === 'ECONNREFUSED') return 'Nothing answers there; is it still up?';
  return null;
}
