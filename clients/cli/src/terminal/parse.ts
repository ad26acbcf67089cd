/** Reads a command line with yargs: a command with checked arguments, a text to print, or what is wrong. */
import yargs, { type Argv, type Options } from 'yargs';
import type { Command, Group } from './command.ts';
import { UsageError } from './exit.ts';

export interface Grammar {
  /** As it is called: `parley`, `npm run admin --`. */
  readonly name: string;
  readonly version?: string;
  readonly summary: string;
  /** Below the help of the program. */
  readonly epilogue?: string;
  /** The commands; or one command, of a program that has no others. */
  readonly commands: readonly (Command | Group)[] | Command;
}

export type Parsed =
  | { readonly command: Command; readonly path: string; readonly values: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** What is wrong with a command line, and the command whose help tells more. */
export class CommandLineError extends UsageError {
  readonly path: string;

  constructor(message: string, path: string) {
    super(message);
    this.path = path;
  }
}

/** What yargs has found on its way through the words. */
interface Walk {
  readonly program: string;
  path: string;
  command: Command | null;
  values: Readonly<Record<string, unknown>> | null;
}

/** Hidden: the programs have a command of their own, with a script for each shell. */
const completionWord = 'yargs-completion';
const helpColumnsMax = 110;

/**
 * @param args command line without node and script
 * @param columns of the terminal, for the help
 * @throws CommandLineError
 */
export async function parse(
  grammar: Grammar,
  args: readonly string[],
  columns = helpColumnsMax,
): Promise<Parsed> {
  const walk: Walk = { program: grammar.name, path: grammar.name, command: null, values: null };
  let text = '';
  const parser = grammarOf(grammar, walk, args).wrap(Math.min(columns, helpColumnsMax));
  await parser.parseAsync([...args], {}, (_error: unknown, _values: unknown, output: string) => {
    text = output;
  });
  const { command, values, path } = walk;
  if (!command || !values) {
    if (!text) throw new CommandLineError('A command is missing.', path);
    return { text };
  }
  const at = args.indexOf('--');
  if (at >= 0 && at < args.length - 1 && Object.keys(command.positionals).length === 0) {
    throw new CommandLineError(`"${args[at + 1]}" is unknown here, behind "--".`, path);
  }
  check(command, values, path);
  return { command, path, values };
}

function grammarOf(grammar: Grammar, walk: Walk, args: readonly string[]): Argv {
  const parser = yargs([...args])
    .scriptName(grammar.name)
    .locale('en')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    })
    .exitProcess(false)
    .help('help', 'print this')
    .fail((message, error) => {
      // yargs throws errors of its own for some mistakes.
      if (error && error.name !== 'YError') throw error;
      throw new CommandLineError(worded(message || error.message, args, walk.command), walk.path);
    });
  // The shell asks with a flag of yargs what may follow.
  parser.completion(completionWord, false);
  if (grammar.version) parser.version('version', 'print the version', grammar.version);
  else parser.version(false);
  if (grammar.epilogue) parser.epilogue(grammar.epilogue);
  const { commands } = grammar;
  if ('kind' in commands) return addCommand(parser, commands, { walk, isRoot: true });
  return addAll(parser.usage(`${grammar.summary}\n\nUsage: $0 <command> [options]`), commands, walk);
}

function addAll(parser: Argv, commands: readonly (Command | Group)[], walk: Walk): Argv {
  for (const one of commands) {
    if (one.kind === 'command') addCommand(parser, one, { walk, isRoot: false });
    else addGroup(parser, one, walk);
  }
  return parser.demandCommand(1, 'A command is missing.').strictCommands().recommendCommands().strict();
}

function addGroup(parser: Argv, { name, aliases = [], summary, commands }: Group, walk: Walk): void {
  parser.command([name, ...aliases], summary, (inner: Argv) => {
    walk.path += ` ${name}`;
    return addAll(inner.usage(`${summary}\n\nUsage: ${walk.path} <command> [options]`), commands, walk);
  });
}

function addCommand(
  parser: Argv,
  command: Command,
  { walk, isRoot }: { readonly walk: Walk; readonly isRoot: boolean },
): Argv {
  const words = Object.entries(command.positionals).map(([name, { array, demandOption }]) => {
    const form = array ? `${name}..` : name;
    return demandOption ? `<${form}>` : `[${form}]`;
  });
  const form = [isRoot ? '$0' : command.name, ...words].join(' ');
  if (isRoot) {
    // Else yargs writes a usage of its own above, and completes no options.
    parser.usage(usageOf(command, [walk.path, ...words].join(' ')));
    parser.options(withValues({ ...command.options, ...command.common }));
  }
  return parser.command({
    command: isRoot ? form : [form, ...command.aliases],
    describe: command.summary,
    builder: (inner: Argv) => {
      if (!isRoot) walk.path += ` ${command.name}`;
      walk.command = command;
      if (!isRoot) inner.usage(usageOf(command, [walk.path, ...words].join(' ')));
      return argumentsOf(inner, command, walk.program);
    },
    handler: (values) => {
      walk.values = values;
    },
  });
}

function usageOf({ summary, details }: Command, usage: string): string {
  return `${summary}${details ? `\n\n${details}` : ''}\n\nUsage: ${usage} [options]`;
}

function argumentsOf(parser: Argv, command: Command, program: string): Argv {
  for (const [name, spec] of Object.entries(command.positionals)) {
    parser.positional(name, { type: 'string', ...spec });
  }
  const [own, common] = [withValues(command.options), withValues(command.common)];
  parser.options(own).group(Object.keys(own), 'Options:').version(false);
  parser.options(common).group([...Object.keys(common), 'help'], 'Options of every command:');
  parser.example(
    command.examples.map(([line, effect]) => [`${program} ${line}`, effect] as [string, string]),
  );
  return parser.strict();
}

/** Options that take a value need one. */
function withValues(options: Readonly<Record<string, Options>>): Record<string, Options> {
  return Object.fromEntries(
    Object.entries(options).map(([name, spec]) => [
      name,
      spec.type === 'boolean' ? spec : { type: 'string' as const, requiresArg: true, ...spec },
    ]),
  );
}

/** What yargs does not refuse: a repeated option, a number that is none, an empty value. @throws CommandLineError */
function check(command: Command, values: Readonly<Record<string, unknown>>, path: string): void {
  const specs = { ...command.common, ...command.options };
  for (const [name, spec] of Object.entries(specs)) {
    const value = values[name];
    const refuse = (why: string) => {
      throw new CommandLineError(`--${name} ${why}`, path);
    };
    if (Array.isArray(value) && !spec.array) refuse('is given twice.');
    const all = Array.isArray(value) ? value : [value];
    if (all.some((one) => typeof one === 'number' && Number.isNaN(one))) refuse('is a number.');
    if (all.includes('')) refuse('is empty.');
  }
  for (const name of Object.keys(command.positionals)) {
    if ([values[name]].flat().includes('')) throw new CommandLineError(`<${name}> is empty.`, path);
  }
}

/** The messages of yargs in the words of this command line. */
function worded(message: string, args: readonly string[], command: Command | null): string {
  const [, what = message, names = ''] = /^([^:\n]+):\s*([\s\S]*)$/.exec(message) ?? [];
  if (/^Unknown (arguments?|commands?)$/.test(what)) {
    const unknown = names.split(', ').map((name) => unknownWord(name, args));
    return `${unknown.join(' ')}`;
  }
  if (what === 'Not enough arguments following') {
    return `--${names} needs a value. One that begins with "-" is written --${names}=-….`;
  }
  if (/^Missing required arguments?$/.test(what)) {
    const missing = names.split(', ').map((name) => `--${name}`);
    return `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing.`;
  }
  if (what === 'Invalid values') {
    const [, name = '', choices = ''] = /Argument: (\S+), Given: [\s\S]*?, Choices: (.*)/.exec(names) ?? [];
    const form = Object.hasOwn(command?.positionals ?? {}, name) ? `<${name}>` : `--${name}`;
    return `${form} is one of ${choices.replaceAll('"', '')}.`;
  }
  const [, got] = /^Not enough non-option arguments: got (\d+)/.exec(message) ?? [];
  const missing = Object.keys(command?.positionals ?? {})[Number(got)];
  if (missing) return `<${missing}> is missing.`;
  return message;
}

function unknownWord(name: string, args: readonly string[]): string {
  const option = args.find((arg) => new RegExp(`^--?${name.replaceAll(/\W/g, '.')}(=|$)`, 's').test(arg));
  if (option) return `There is no option ${option.replace(/=[\s\S]*/, '')} here.`;
  return args.some((arg) => /^-\w/.test(arg) && arg.includes(name))
    ? `There is no option -${name} here.`
    : `"${name}" is unknown here.`;
}
