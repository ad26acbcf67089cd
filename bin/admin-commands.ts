/** The operator's command line: workspaces, members and first keys, against AWS or the local run. */
import { timestamp } from '../lib/adapters/clock.ts';
import { countDeadLetters, redriveDeadLetters, redriveSources } from '../lib/adapters/dead-letters.ts';
import { localEnvironmentFile, NoTarget, useTarget } from '../lib/adapters/operator-target.ts';
import { parseDomainName } from '../lib/core/domains/name.ts';
import type { WorkspaceId } from '../lib/core/ids.ts';
import { inboundActions, policyVerdicts } from '../lib/core/inbound-policy.ts';
import { normalizeAddress } from '../lib/core/mail/addresses.ts';
import { Problem } from '../lib/core/problems.ts';
import type { Member } from '../lib/core/workspace.ts';
import { changeBudget } from '../lib/services/admission/change-budget.ts';
import { createKey } from '../lib/services/api-keys/api-keys.ts';
import { redriveOutbox, staleOutbox } from '../lib/services/queues/redrive-outbox.ts';
import {
  changeRecipientCaps,
  resumeWorkspace,
  suspendWorkspace,
} from '../lib/services/sending/sending-guard.ts';
import { recordCommand } from '../lib/services/workspaces/audit.ts';
import { upgradeTable } from '../lib/services/workspaces/upgrade-table.ts';
import {
  changeLinkDomain,
  createWorkspace,
  findWorkspace,
  listMembers,
  listWorkspaces,
  putMember,
  SlugRefused,
  switchEventLog,
  updateInboundPolicy,
} from '../lib/services/workspaces/workspaces.ts';
import { keyCommands, keyHelp, keyOptions } from './key-commands.ts';
import { linkDomainProblem } from './link-domain.ts';
import { oneOf, print, readArguments, Usage } from './options.ts';
import { webhookCommands, webhookHelp, webhookOptions } from './webhook-commands.ts';

const help = `Usage: npm run admin -- <command> [options]

  workspace create --slug SLUG [--name NAME]     make a workspace; prints its first full key
  workspace list                                 all workspaces
  workspace inbound-policy --workspace SLUG [--spam ACTION] [--virus ACTION] [--dmarc ACTION]
                                                 what happens to received mail that fails a check: ACTION is
                                                 accept, mark (default) or drop; prints the policy in force
  workspace event-log --workspace SLUG --state on|off
                                                 whether events that no webhook endpoint takes are stored, too (default on)
  workspace link-domain --workspace SLUG --domain HOST|none
                                                 the host of the links in the workspace's mail, which must lead to the
                                                 API already (setting linkDomains); none: that of the API
  workspace budget --workspace SLUG [--units-per-second N] [--capacity N] [--in-flight N] [--default]
                                                 the request budget of a workspace; prints the limits in force
  workspace suspend --workspace SLUG             sends refuse with 409, and queued mail waits
  workspace resume --workspace SLUG              queued mail goes on; earlier bounces and complaints no longer count
  workspace recipients --workspace SLUG [--per-hour N] [--per-day N] [--default]
                                                 caps on recipients; prints those in force, and whether sending is suspended
  member add --workspace SLUG --email ADDRESS [--role owner|admin|member] [--no-outage-mail]
  member list --workspace SLUG
${keyHelp}
${webhookHelp}
  queue list                                     counts the messages in each dead-letter queue
  queue redrive --queue NAME                     moves dead letters back to their queue
  outbox list                                    counts outbox items that the relay gave up on
  outbox redrive                                 sends their messages
  table upgrade                                  changes what 0.1.0 stored: lists emails and threads in the new way, indexes
                                                 Message-IDs without case, seals the secrets of links and cursors, and
                                                 gives deliveries' bodies to events

  --local            the local run that npm start keeps up (found through ${localEnvironmentFile})
  --stack-prefix P   the deployment's prefix, when it is not the default
  --region R         its home region; else AWS_REGION
  --help

Against AWS the usual credentials are used (environment, profile, role).`;

const options = {
  allowPositionals: true,
  options: {
    slug: { type: 'string' },
    name: { type: 'string' },
    workspace: { type: 'string' },
    email: { type: 'string' },
    role: { type: 'string', default: 'member' },
    ...keyOptions,
    queue: { type: 'string' },
    spam: { type: 'string' },
    virus: { type: 'string' },
    dmarc: { type: 'string' },
    state: { type: 'string' },
    domain: { type: 'string' },
    ...webhookOptions,
    'units-per-second': { type: 'string' },
    capacity: { type: 'string' },
    'in-flight': { type: 'string' },
    'per-hour': { type: 'string' },
    'per-day': { type: 'string' },
    default: { type: 'boolean', default: false },
    'no-outage-mail': { type: 'boolean', default: false },
    local: { type: 'boolean', default: false },
    'stack-prefix': { type: 'string' },
    region: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
} as const;

/** Checks its options and returns the work: nothing is changed when an option is wrong. */
type Command = (options: Options) => () => Promise<void>;
type Options = ReturnType<typeof readArguments<typeof options>>['values'];

const commands: Readonly<Record<string, Command>> = {
  'workspace create': (options) => {
    const slug = required(options, 'slug');
    return () => createFirst(slug, options.name ?? slug);
  },
  'workspace list': () => async () => {
    for (const { id, slug, name, createdAt, providedDomain } of await listWorkspaces()) {
      print({ id, slug, name, provided_domain: providedDomain, created_at: timestamp(createdAt) });
    }
  },
  'workspace inbound-policy': (options) => {
    const slug = required(options, 'workspace');
    const change = policyVerdicts.flatMap((verdict) => {
      const action = options[verdict];
      return action === undefined ? [] : [[verdict, oneOf(verdict, action, inboundActions)] as const];
    });
    return async () => {
      print(await updateInboundPolicy(await workspaceOf(slug), Object.fromEntries(change)));
    };
  },
  'workspace event-log': (options) => {
    const slug = required(options, 'workspace');
    const state = oneOf('state', required(options, 'state'), ['on', 'off'] as const);
    return async () => {
      await switchEventLog(await workspaceOf(slug), state === 'on');
      print({ event_log: state });
    };
  },
  'workspace link-domain': (options) => {
    const slug = required(options, 'workspace');
    const domain = readLinkDomain(required(options, 'domain'));
    return async () => {
      const id = await workspaceOf(slug);
      const problem = domain === null || options.local ? null : await linkDomainProblem(domain);
      if (problem !== null) throw new Usage(problem);
      await changeLinkDomain(id, domain);
      print({ link_domain: domain });
    };
  },
  'workspace budget': (options) => {
    const slug = required(options, 'workspace');
    const change = {
      unitsPerSecond: positive(options, 'units-per-second'),
      capacity: positive(options, 'capacity'),
      inFlight: positive(options, 'in-flight'),
    };
    return async () => {
      const limits = await changeBudget(await workspaceOf(slug), options.default ? null : change);
      print({
        units_per_second: limits.unitsPerSecond,
        capacity: limits.capacity,
        in_flight: limits.inFlight,
      });
    };
  },
  'workspace suspend': (options) => {
    const slug = required(options, 'workspace');
    return async () =>
      print({ suspended: true, changed: await suspendWorkspace(await workspaceOf(slug), 'operator') });
  },
  'workspace resume': (options) => {
    const slug = required(options, 'workspace');
    return async () => print({ suspended: false, changed: await resumeWorkspace(await workspaceOf(slug)) });
  },
  'workspace recipients': (options) => {
    const slug = required(options, 'workspace');
    const change = { perHour: positive(options, 'per-hour'), perDay: positive(options, 'per-day') };
    return async () => {
      const id = await workspaceOf(slug);
      const { caps, suspension } = await changeRecipientCaps(id, options.default ? null : change);
      print({
        per_hour: caps.perHour,
        per_day: caps.perDay,
        suspended: suspension && { reason: suspension.reason, at: timestamp(suspension.at) },
      });
    };
  },
  'member add': (options) => {
    const slug = required(options, 'workspace');
    const member: Member = {
      email: address(required(options, 'email')),
      role: oneOf('role', options.role, ['owner', 'admin', 'member'] as const),
      outageMail: !options['no-outage-mail'],
    };
    return async () => {
      await putMember(await workspaceOf(slug), member);
      print(shown(member));
    };
  },
  'member list': (options) => {
    const slug = required(options, 'workspace');
    return async () => {
      for (const member of await listMembers(await workspaceOf(slug))) print(shown(member));
    };
  },
  ...Object.fromEntries(
    Object.entries({ ...keyCommands, ...webhookCommands }).map(([name, command]) => [
      name,
      ofWorkspace(command),
    ]),
  ),
  'queue list': () => async () => {
    for (const queue of redriveSources) print({ queue, dead_letters: await countDeadLetters(queue) });
  },
  'queue redrive': (options) => {
    const queue = oneOf('queue', required(options, 'queue'), redriveSources);
    return async () => print({ queue, moved: await redriveDeadLetters(queue) });
  },
  'outbox list': () => async () => {
    for (const { workspaceId, slug, items } of await staleOutbox()) print({ id: workspaceId, slug, items });
  },
  'outbox redrive': () => async () => print(await redriveOutbox()),
  'table upgrade': () => async () => print(await upgradeTable()),
};

/**
 * Runs a command and prints its result.
 *
 * @param args command line without node and script
 * @throws what `explanationOf` explains, or an internal error
 */
export async function runAdmin(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, options);
  if (values.help || positionals.length === 0) return console.log(help);
  const name = positionals.join(' ');
  const command = commands[name];
  if (!command) throw new Usage(`There is no command "${name}".`);
  const work = command(values);
  await useTarget({ local: values.local, prefix: values['stack-prefix'], region: values.region });
  await work();
  if (values.workspace && !reading.has(positionals.at(-1) ?? '')) {
    await recordCommand(await workspaceOf(values.workspace), auditSubject(name, values));
  }
}

/** Commands that change nothing. */
const reading: ReadonlySet<string> = new Set(['list', 'show']);
/** Options that are no part of the audit log: secrets, and those of every command. */
const unlogged: ReadonlySet<string> = new Set(['secret', 'workspace', 'local', 'stack-prefix', 'region']);

/** The command as it is recorded: `workspace budget --capacity 100`. */
function auditSubject(name: string, values: Options): string {
  const given = Object.entries(values).flatMap(([option, value]) => {
    if (unlogged.has(option) || value === undefined || value === false) return [];
    return value === true ? [`--${option}`] : [`--${option} ${value}`];
  });
  return [name, ...given].join(' ');
}

/** One line for what the operator can mend; null for what is ours. */
export function explanationOf(error: unknown): string | null {
  if (error instanceof Usage) return `${error.message} See npm run admin -- --help.`;
  if (error instanceof Problem) return error.message;
  if (error instanceof SlugRefused || error instanceof NoTarget) return `${error.message}.`;
  if ((error as { code?: unknown }).code === 'ECONNREFUSED') return 'Nothing answers there; is it still up?';
  return null;
}

/** A host name in ASCII; null for `none`. */
function readLinkDomain(text: string): string | null {
  if (text === 'none') return null;
  const parsed = parseDomainName(text);
  if (!parsed || parsed.wildcard) throw new Usage(`--domain: "${text}" is not a host name.`);
  return parsed.name;
}

/** A command on the workspace that `--workspace` names. */
function ofWorkspace(command: (options: Options) => (workspaceId: WorkspaceId) => Promise<void>): Command {
  return (options) => {
    const slug = required(options, 'workspace');
    const work = command(options);
    return async () => work(await workspaceOf(slug));
  };
}

async function createFirst(slug: string, name: string): Promise<void> {
  const workspace = await createWorkspace({ slug, name });
  const { token } = await createKey(workspace.id, { name: 'first key', scope: 'full' });
  print({
    id: workspace.id,
    slug: workspace.slug,
    name: workspace.name,
    provided_domain: workspace.providedDomain,
    full_key: token,
  });
}

async function workspaceOf(slug: string): Promise<WorkspaceId> {
  const workspace = await findWorkspace(slug);
  if (!workspace) throw new Usage(`There is no workspace "${slug}".`);
  return workspace.id;
}

function required(
  options: Options,
  option: 'slug' | 'name' | 'workspace' | 'email' | 'queue' | 'state' | 'domain',
): string {
  const value = options[option];
  if (!value) throw new Usage(`--${option} is missing.`);
  return value;
}

function positive(
  options: Options,
  option: 'units-per-second' | 'capacity' | 'in-flight' | 'per-hour' | 'per-day',
) {
  const text = options[option];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(Number.isInteger(value) && value > 0)) throw new Usage(`--${option} is a whole number above 0.`);
  return value;
}

function address(text: string): string {
  const found = normalizeAddress(text);
  if (!found) throw new Usage(`"${text}" is no email address.`);
  return found;
}

function shown({ email, role, outageMail }: Member): object {
  return { email, role, outage_mail: outageMail };
}
