/** The form of a command: its arguments, its help, its work. `program.ts` runs it. */
import type { InferredOptionTypes, Options, PositionalOptions } from 'yargs';
import type { ExitCode } from './exit.ts';
import type { Terminal } from './terminal.ts';

/**
 * Options as yargs describes them: `type`, `describe`, `choices`, `array`, `demandOption`, `default`. Without a type they take text, as it
 * is.
 */
export type OptionSpecs = Readonly<Record<string, Options>>;
export type PositionalSpecs = Readonly<Record<string, PositionalOptions>>;

/** The values of options by their names, such as `values['reply-all']`. */
export type ValuesOf<O extends OptionSpecs> = Readonly<InferredOptionTypes<Mutable<O>>>;
/** Of a command without any. */
type Empty = Readonly<Record<never, never>>;
type Mutable<T> = { -readonly [Name in keyof T]: Typed<T[Name]> };
type Typed<T> = T extends { readonly type: string } | { readonly choices: unknown }
  ? T
  : T & { type: 'string' };

/** The exit code; nothing is 0. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement has this type
export type Ending = ExitCode | void;

export interface Context {
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C, SIGTERM, and when nobody reads stdout any more. */
  readonly signal: AbortSignal;
  /** The command line without the arguments: `parley domains list`. */
  readonly command: string;
}

interface Spec<O extends OptionSpecs, P extends PositionalSpecs, Common extends OptionSpecs> {
  /** The word of the command; with its aliases. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One sentence, for lists of commands. */
  readonly summary: string;
  /** More for the help of the command. */
  readonly details?: string;
  /** In order. `array: true` for the last one takes the rest. */
  readonly positionals?: P;
  readonly options?: O;
  /** Command lines without the program's name, each with what it does. */
  readonly examples: readonly (readonly [command: string, effect: string])[];
  /** Whether the work ends by itself when `signal` is aborted: a stream, or one with something to clean up. */
  readonly endsItself?: boolean;
  /**
   * Returns the exit code; nothing is 0.
   *
   * @throws UsageError (2), Refused (1), or what `explain` of the program knows
   */
  readonly run: (values: ValuesOf<O> & ValuesOf<P> & ValuesOf<Common>, context: Context) => Promise<Ending>;
}

/** A command whose types are checked. */
export interface Command {
  readonly kind: 'command';
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly details: string;
  readonly positionals: PositionalSpecs;
  readonly options: OptionSpecs;
  /** Options that it shares with the other commands of the program. */
  readonly common: OptionSpecs;
  readonly examples: readonly (readonly [command: string, effect: string])[];
  readonly endsItself: boolean;
  run(values: Readonly<Record<string, unknown>>, context: Context): Promise<Ending>;
}

/** Commands under a word: `domains list`, `domains add`. */
export interface Group {
  readonly kind: 'group';
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly commands: readonly (Command | Group)[];
}

/**
 * The function that makes the commands of a program.
 *
 * @param common options of every command, such as `--json`
 */
export function commandsWith<const Common extends OptionSpecs>(common: Common) {
  return <const O extends OptionSpecs = Empty, const P extends PositionalSpecs = Empty>(
    spec: Spec<O, P, Common>,
  ): Command => ({
    aliases: [],
    details: '',
    endsItself: false,
    ...spec,
    kind: 'command',
    positionals: spec.positionals ?? {},
    options: spec.options ?? {},
    common,
    run: (values, context) => spec.run(values as ValuesOf<O> & ValuesOf<P> & ValuesOf<Common>, context),
  });
}

export const group = (spec: Omit<Group, 'kind'>): Group => ({ kind: 'group', ...spec });
