/** The form of an operator's command: its options, its help, and the reading of its arguments. */
import type { Workspace } from '../lib/core/workspaces/workspace.ts';
import { readArguments, Usage } from './options.ts';

interface OptionSpec {
  /** What the help shows as the value; absent: the option is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly required?: true;
  readonly default?: string;
  /** No part of the audit log. */
  readonly secret?: true;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type ValueOf<S extends OptionSpec> = S extends { readonly value: string }
  ? S extends { readonly required: true } | { readonly default: string }
    ? string
    : string | undefined
  : boolean;

/** The values of a command's options, by name. */
export type Values<O extends OptionSpecs> = { readonly [Name in keyof O]: ValueOf<O[Name]> };

/** What a command prints: a record, or a list of records. Names are in snake_case; they do not change. */
export type Result = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];

/** A command on a workspace knows its slug. */
type SubjectValues<Subject> = Subject extends Workspace ? { readonly workspace: string } : unknown;

interface Spec<O extends OptionSpecs, Subject> {
  readonly summary: string;
  readonly options: O;
  /** Command lines, without `npm run admin --`. */
  readonly examples: readonly string[];
  /** Whether the audit log gets the command; default: yes. */
  readonly isAudited?: (values: Values<O>) => boolean;
  /** Checks the options and returns the work: nothing is changed when an option is wrong. @throws Usage */
  readonly prepare: (values: Values<O> & SubjectValues<Subject>) => (subject: Subject) => Promise<Result>;
}

/** What a command works on: the workspace of `--workspace`, or the deployment. */
export type Subject = { readonly kind: 'deployment' } | { readonly kind: 'workspace'; readonly slug: string };

/** A command whose arguments are checked. */
export interface Prepared {
  readonly subject: Subject;
  readonly isAudited: boolean;
  /** Also an erased workspace. */
  readonly takesErased: boolean;
  /** The command without secrets, for the audit log. */
  readonly audited: string;
  run(workspace: Workspace | null): Promise<Result>;
}

export interface Command {
  readonly summary: string;
  readonly options: OptionSpecs;
  readonly examples: readonly string[];
  /** @throws Usage */
  prepare(name: string, values: RawValues): Prepared;
}

export type RawValues = Readonly<Record<string, string | boolean | undefined>>;

const workspaceOption = {
  workspace: { value: 'SLUG', required: true, help: 'the workspace' },
} as const satisfies OptionSpecs;

/** A command on the workspace that `--workspace` names. @param takesErased also one that is being erased */
export function onWorkspace<const O extends OptionSpecs>(
  spec: Spec<O, Workspace>,
  { takesErased = false } = {},
): Command {
  const options = { ...workspaceOption, ...spec.options };
  return {
    ...spec,
    options,
    prepare(name, raw) {
      const work = spec.prepare(checked(options, raw) as Values<O> & { readonly workspace: string });
      return {
        ...about(name, spec, options, raw),
        subject: { kind: 'workspace', slug: String(raw.workspace) },
        takesErased,
        async run(workspace) {
          if (!workspace) throw new Error(`${name} needs a workspace`);
          return await work(workspace);
        },
      };
    },
  };
}

/** A command on the whole deployment. */
export function onDeployment<const O extends OptionSpecs>(spec: Spec<O, null>): Command {
  return {
    ...spec,
    prepare(name, raw) {
      const work = spec.prepare(checked(spec.options, raw) as Values<O>);
      return {
        ...about(name, spec, spec.options, raw),
        subject: { kind: 'deployment' },
        takesErased: false,
        run: () => work(null),
      };
    },
  };
}

function about<O extends OptionSpecs, S>(
  name: string,
  spec: Spec<O, S>,
  options: OptionSpecs,
  raw: RawValues,
) {
  return {
    isAudited: spec.isAudited?.(raw as Values<O>) ?? true,
    audited: auditedCommand(name, options, raw),
  };
}

/** Of a command that changes nothing. */
export const neverAudited = () => false;

/** Adds defaults, and checks that no required option is missing. @throws Usage */
function checked(options: OptionSpecs, raw: RawValues): RawValues {
  const values = Object.entries(options).map(([name, spec]) => {
    const given = raw[name] ?? spec.default ?? (spec.value === undefined ? false : undefined);
    if (spec.required && given === undefined) throw new Usage(`--${name} is missing.`);
    if (given === '') throw new Usage(`--${name} is empty.`);
    return [name, given];
  });
  return Object.fromEntries(values);
}

/** The command as it is recorded: `workspace limits --capacity 100`. */
function auditedCommand(name: string, options: OptionSpecs, raw: RawValues): string {
  const given = Object.entries(raw).flatMap(([option, value]) => {
    const spec = options[option];
    if (!spec || spec.secret || option === 'workspace' || value === undefined || value === false) return [];
    return [value === true ? `--${option}` : `--${option} ${value}`];
  });
  return [name, ...given].join(' ');
}

/** Options of every command. */
export const commonOptions = {
  json: { help: 'print JSON: an object, or an array for a list' },
  local: { help: 'the local run that npm start keeps up' },
  'stack-prefix': { value: 'P', help: "the deployment's prefix, when it is not the default" },
  region: { value: 'R', help: 'its home region; else AWS_REGION' },
  help: { help: 'print this' },
} as const satisfies OptionSpecs;

/** The arguments of a command. Options of other commands are unknown. @throws Usage */
export function parseCommandLine(args: readonly string[], options: OptionSpecs): RawValues {
  const known = Object.entries({ ...options, ...commonOptions }).map(([name, spec]) => [
    name,
    { type: 'value' in spec ? ('string' as const) : ('boolean' as const) },
  ]);
  const { values, tokens } = readArguments(args, {
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(known) as Record<string, { type: 'string' | 'boolean' }>,
  });
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const twice = given.find((name, at) => given.indexOf(name) !== at);
  if (twice) throw new Usage(`--${twice} is given twice.`);
  return values as RawValues;
}

/** The help of one command. */
export function helpOf(name: string, { summary, options, examples }: Command): string {
  const usage = Object.entries(options).map(([option, spec]) => {
    const form = spec.value === undefined ? `--${option}` : `--${option} ${spec.value}`;
    return spec.required ? form : `[${form}]`;
  });
  return [
    `Usage: npm run admin -- ${[name, ...usage].join(' ')}`,
    '',
    summary,
    '',
    ...optionLines(options),
    '',
    'Examples:',
    ...examples.map((example) => `  npm run admin -- ${example}`),
    '',
    'Options of every command:',
    ...optionLines(commonOptions),
  ].join('\n');
}

/** Options with their help, one a line. */
export function optionLines(options: OptionSpecs): string[] {
  const lines = Object.entries(options).map(([option, spec]) => {
    const form = spec.value === undefined ? `--${option}` : `--${option} ${spec.value}`;
    return [form, spec.default === undefined ? spec.help : `${spec.help}; default ${spec.default}`] as const;
  });
  const width = Math.max(0, ...lines.map(([form]) => form.length));
  return lines.map(([form, help]) => `  ${form.padEnd(width)}  ${help}`);
}
