/** The form of an operator's command: its options, its help, and its work. `program.ts` runs it. */
import type { OptionSpecs, PositionalSpecs, ValuesOf } from '../../clients/cli/src/terminal/command.ts';
import type { Result } from '../../clients/cli/src/terminal/tables.ts';
import type { Workspace } from '../../lib/core/workspaces/workspace.ts';

/** A command on a workspace knows its slug. */
type SubjectValues<Subject> = Subject extends Workspace ? { readonly workspace: string } : unknown;

type Work<Subject> = (subject: Subject) => Promise<Result>;

interface Spec<O extends OptionSpecs, Subject> {
  /** One sentence, for lists of commands. */
  readonly summary: string;
  /** More for the help of the command. */
  readonly details?: string;
  readonly options: O;
  /** Options that are no part of the audit log. */
  readonly secrets?: readonly (keyof O)[];
  /** Command lines, without `npm run admin --`, each with what it does. */
  readonly examples: readonly (readonly [command: string, effect: string])[];
  /** Whether the audit log gets the command; default: yes. */
  readonly isAudited?: (values: ValuesOf<O>) => boolean;
  /** Recorded before the work: there is no way back from a part of it. Default: after it, where it has succeeded. */
  readonly isAuditedFirst?: true;
  /**
   * Checks the options and returns the work: nothing is changed when an option is wrong. The work imports what it needs,
   * so that a command loads no other's code.
   *
   * @throws UsageError
   */
  readonly prepare: (values: ValuesOf<O> & SubjectValues<Subject>) => Work<Subject> | Promise<Work<Subject>>;
}

/** What a command works on: the workspace of `--workspace`, or the deployment. */
export type Subject = { readonly kind: 'deployment' } | { readonly kind: 'workspace'; readonly slug: string };

/** A command whose arguments are checked. */
export interface Prepared {
  readonly subject: Subject;
  readonly isAudited: boolean;
  readonly isAuditedFirst: boolean;
  /** Also an erased workspace. */
  readonly takesErased: boolean;
  /** The command without secrets, for the audit log. */
  readonly audited: string;
  run(workspace: Workspace | null): Promise<Result>;
}

export type Values = Readonly<Record<string, unknown>>;

export interface AdminCommand {
  readonly summary: string;
  readonly details?: string;
  readonly positionals?: PositionalSpecs;
  readonly options: OptionSpecs;
  readonly examples: readonly (readonly [command: string, effect: string])[];
  /** @param name `workspace list` @throws UsageError */
  prepare(name: string, values: Values): Promise<Prepared>;
}

const workspaceOption = {
  workspace: { type: 'string', demandOption: true, describe: 'slug of the workspace' },
} as const satisfies OptionSpecs;

/** A command on the workspace that `--workspace` names. @param takesErased also one that is being erased */
export function onWorkspace<const O extends OptionSpecs>(
  spec: Spec<O, Workspace>,
  { takesErased = false } = {},
): AdminCommand {
  return {
    ...spec,
    options: { ...workspaceOption, ...spec.options },
    async prepare(name, values) {
      const work = await spec.prepare(values as ValuesOf<O> & { readonly workspace: string });
      return {
        ...about(name, spec, values),
        subject: { kind: 'workspace', slug: String(values.workspace) },
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
export function onDeployment<const O extends OptionSpecs>(spec: Spec<O, null>): AdminCommand {
  return {
    ...spec,
    async prepare(name, values) {
      const work = await spec.prepare(values as ValuesOf<O>);
      return {
        ...about(name, spec, values),
        subject: { kind: 'deployment' },
        takesErased: false,
        run: () => work(null),
      };
    },
  };
}

/** Of a command that changes nothing. */
export const neverAudited = () => false;

function about<O extends OptionSpecs, S>(name: string, spec: Spec<O, S>, values: Values) {
  return {
    isAudited: spec.isAudited?.(values as ValuesOf<O>) ?? true,
    isAuditedFirst: spec.isAuditedFirst ?? false,
    audited: auditedCommand(name, spec, values),
  };
}

/** The command as it is recorded, with its own options: `workspace limits --capacity 100`. */
function auditedCommand<O extends OptionSpecs, S>(
  name: string,
  { options, secrets = [] }: Spec<O, S>,
  values: Values,
): string {
  const given = Object.entries(options).flatMap(([option, spec]) => {
    const value = values[option];
    const isDefault = value === undefined || value === false || value === spec.default;
    if (isDefault || secrets.includes(option)) return [];
    return [value === true ? `--${option}` : `--${option} ${value}`];
  });
  return [name, ...given].join(' ');
}
