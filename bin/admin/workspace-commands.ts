/** The operator's commands for workspaces, their limits and settings. */
import { Refused, UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { timestamp } from '../../lib/adapters/clock.ts';
import { limits } from '../../lib/core/limits.ts';
import { inboundActions, policyVerdicts } from '../../lib/core/receiving/inbound-policy.ts';
import type { Suspension } from '../../lib/core/sending/sending-guard.ts';
import { slugPattern, type Workspace, type WorkspaceSettings } from '../../lib/core/workspaces/workspace.ts';
import type { changeBudget } from '../../lib/services/admission/change-budget.ts';
import type { changeRecipientCaps } from '../../lib/services/sending/sending-guard.ts';
import { boundedText, integer, quoted } from '../operator/values.ts';
import { type AdminCommand, neverAudited, onDeployment, onWorkspace } from './command.ts';
import { limitOptions, readLimits } from './limit-options.ts';

const services = () => import('../../lib/services/workspaces/workspaces.ts');
const erasures = () => import('../../lib/services/workspaces/erase-workspace.ts');
const keyServices = () => import('../../lib/services/api-keys/api-keys.ts');
const budgets = () => import('../../lib/services/admission/change-budget.ts');
const guards = () => import('../../lib/services/sending/sending-guard.ts');

const onOff = ['on', 'off'] as const;
const action = { choices: inboundActions } as const;

export const workspaceCommands: Readonly<Record<string, AdminCommand>> = {
  'workspace create': onDeployment({
    summary: 'Makes a workspace and prints its first full key, only this once.',
    details: 'It has its provided domain, where the deployment has a suffix for those.',
    options: {
      slug: {
        type: 'string',
        demandOption: true,
        describe: 'its name in addresses and commands, 3 to 63 of a-z, 0-9 and -',
      },
      name: { type: 'string', describe: 'its name for people; else the slug' },
    },
    examples: [
      ['workspace create --slug acme --name "Acme Ltd"', 'a workspace of a customer'],
      ['workspace create --slug acme --json', 'the same, for a program that keeps the key'],
    ],
    prepare: ({ slug, name = slug }) => {
      boundedText('name', name, limits.nameCharacters);
      if (!slugPattern.test(slug)) {
        throw new UsageError(
          `--slug: ${quoted(slug)} is not 3 to 63 of a-z, 0-9 and -, without - at either end.`,
        );
      }
      return async () => {
        const [{ createWorkspace, SlugRefused }, { createKey }] = await Promise.all([
          services(),
          keyServices(),
        ]);
        const workspace = await createWorkspace({ slug, name }).catch((error: unknown) => {
          if (!(error instanceof SlugRefused)) throw error;
          throw new Refused(`The slug "${slug}" is held by another workspace.`, 'Choose another one.');
        });
        const { token } = await createKey(workspace.id, { name: 'first key', scope: 'full' });
        return { ...shown(workspace), full_key: token };
      };
    },
  }),
  'workspace list': onDeployment({
    summary: 'Lists all workspaces, oldest first.',
    options: {},
    examples: [
      ['workspace list', 'a table'],
      ['workspace list --json', 'an array, for programs'],
    ],
    isAudited: neverAudited,
    prepare: () => async () => {
      const { listWorkspaces } = await services();
      return (await listWorkspaces()).map(shown);
    },
  }),
  'workspace show': onWorkspace(
    {
      summary: 'Shows a workspace: what it has, its settings and limits, and how far its erasure is.',
      options: {},
      examples: [['workspace show --workspace acme', 'everything about it']],
      isAudited: neverAudited,
      prepare: () => show,
    },
    { takesErased: true },
  ),
  'workspace limits': onWorkspace({
    summary: 'Prints the request budget and the caps on recipients, and changes those that are given.',
    options: limitOptions,
    examples: [
      ['workspace limits --workspace acme', 'what is in force'],
      ['workspace limits --workspace acme --units-per-second 100 --capacity 1000', 'a larger request budget'],
      ['workspace limits --workspace acme --recipients-per-day 200000', 'more recipients'],
      ['workspace limits --workspace acme --default recipients', 'back to the caps of the deployment'],
    ],
    isAudited: (values) =>
      Object.keys(limitOptions).some((name) => values[name as keyof typeof limitOptions]),
    prepare: (values) => {
      const { budget, caps, resets } = readLimits(values);
      return async ({ id }) => {
        if (resets.budget) await (await budgets()).changeBudget(id, null);
        if (resets.caps) await (await guards()).changeRecipientCaps(id, null);
        const current = await currentLimits(id, budget, caps);
        return { ...current.limits, suspended: current.suspended };
      };
    },
  }),
  'workspace suspend': onWorkspace({
    summary: 'Suspends the sending of a workspace.',
    details: 'Sends are refused with 409, and queued mail waits.',
    options: {},
    examples: [['workspace suspend --workspace acme', 'stops its mail']],
    prepare: () => async (workspace) => ({
      slug: workspace.slug,
      suspended: true,
      changed: await (await guards()).suspendWorkspace(workspace.id, 'operator'),
    }),
  }),
  'workspace resume': onWorkspace({
    summary: 'Ends a suspension.',
    details: 'Queued mail goes on, and earlier bounces and complaints no longer count.',
    options: {},
    examples: [['workspace resume --workspace acme', 'its mail goes on']],
    prepare: () => async (workspace) => ({
      slug: workspace.slug,
      suspended: false,
      changed: await (await guards()).resumeWorkspace(workspace.id),
    }),
  }),
  'workspace inbound-policy': onWorkspace({
    summary: 'Prints what happens to received mail that fails a check, and changes what is given.',
    options: {
      spam: { ...action, describe: 'mail that looks like spam' },
      virus: { ...action, describe: 'mail with malware' },
      dmarc: { ...action, describe: "mail that its sender's DMARC policy rejects" },
    },
    examples: [
      ['workspace inbound-policy --workspace acme', 'the policy in force'],
      ['workspace inbound-policy --workspace acme --spam drop --virus drop', 'spam and malware are dropped'],
    ],
    isAudited: (values) => policyVerdicts.some((verdict) => values[verdict]),
    prepare: (values) => {
      const change = policyVerdicts.flatMap((verdict) => {
        const given = values[verdict];
        return given === undefined ? [] : [[verdict, given] as const];
      });
      return async ({ id }) => ({
        ...(await (await services()).changeSettings(id, { inboundPolicy: Object.fromEntries(change) }))
          .inboundPolicy,
      });
    },
  }),
  'workspace read-threads': onWorkspace({
    summary: 'Marks all threads of a workspace as read, after a roll-back.',
    details: 'Release 0.2.0 has no read state, and lists no unread threads. Run it from release 0.3.0.',
    options: {},
    examples: [['workspace read-threads --workspace acme', 'GET /threads lists all of them again']],
    prepare:
      () =>
      async ({ id }) => {
        const { readAllThreads } = await import('../../lib/services/threads/read-all-threads.ts');
        return { threads: await readAllThreads(id) };
      },
  }),
  'workspace event-log': onWorkspace({
    summary: 'Switches the storing of events that no webhook endpoint takes on or off.',
    options: { state: { choices: onOff, demandOption: true, describe: 'on in a new workspace' } },
    examples: [['workspace event-log --workspace acme --state off', 'stores no such events']],
    prepare: ({ state }) => {
      const eventLog = state === 'on';
      return async ({ id }) => ({
        event_log: (await (await services()).changeSettings(id, { eventLog })).eventLog,
      });
    },
  }),
  'workspace own-oauth-app': onWorkspace({
    summary: 'Sets whether mailboxes of a workspace are connected through its own OAuth apps only.',
    options: {
      required: { choices: onOff, demandOption: true, describe: 'off in a new workspace' },
    },
    examples: [['workspace own-oauth-app --workspace acme --required on', 'not through the shared apps']],
    prepare: ({ required }) => {
      const requireOwnOauthApp = required === 'on';
      return async ({ id }) => ({
        require_own_oauth_app: (await (await services()).changeSettings(id, { requireOwnOauthApp }))
          .requireOwnOauthApp,
      });
    },
  }),
  'workspace link-domain': onWorkspace({
    summary: 'Sets the host of the links in the mail of a workspace.',
    details: 'The host must lead to the API already (setting linkDomains).',
    options: {
      domain: { type: 'string', demandOption: true, describe: 'a host name; "none" is the host of the API' },
    },
    examples: [
      ['workspace link-domain --workspace acme --domain links.acme.dev', 'links of its own'],
      ['workspace link-domain --workspace acme --domain none', 'links of the API'],
    ],
    prepare: async ({ domain }) => {
      const linkDomain = await readLinkDomain(domain);
      return async ({ id }) => {
        const isLocal = process.env.AWS_ENDPOINT_URL !== undefined;
        const { apiProblem } = await import('../operator/api-problem.ts');
        const problem = linkDomain === null || isLocal ? null : await apiProblem(`https://${linkDomain}`);
        if (problem !== null) throw new Refused(problem);
        return { link_domain: (await (await services()).changeSettings(id, { linkDomain })).linkDomain };
      };
    },
  }),
  'workspace retention': onWorkspace({
    summary:
      'Prints for how many days mail is kept, and changes it. What is older is deleted within an hour or two.',
    details:
      'There is no way back for what is deleted. In a new workspace the setting mailRetentionDays counts.',
    options: {
      days: { type: 'string', describe: 'a number of days, "forever", or "default": as the deployment says' },
    },
    examples: [
      ['workspace retention --workspace acme', 'what is in force'],
      ['workspace retention --workspace acme --days 365', 'mail is deleted after a year'],
      ['workspace retention --workspace acme --days forever', 'mail is kept'],
    ],
    isAudited: ({ days }) => days !== undefined,
    prepare: ({ days }) => {
      const change = days === undefined ? undefined : mailDaysOf(days);
      return async ({ id }) => {
        const { changeRetention } = await import('../../lib/services/retention/retention.ts');
        const { mailDays, isDefault } = await changeRetention(id, change);
        return { retention_days: mailDays, is_default: isDefault };
      };
    },
  }),
  'workspace erase': onWorkspace(
    {
      summary: 'Erases a workspace with everything that it owns. There is no way back.',
      details:
        'Its keys are refused and nothing is found at once; the rest is removed in the background within about half an hour. ' +
        'Repeated, it continues an erasure that stands still.',
      options: { confirm: { type: 'string', demandOption: true, describe: 'the slug again' } },
      examples: [['workspace erase --workspace acme --confirm acme', 'erases acme']],
      // The transaction that begins the erasure has its own entry, in the log of the deployment.
      isAudited: neverAudited,
      prepare: ({ confirm, workspace }) => {
        if (confirm !== workspace) throw new UsageError(`--confirm must repeat the slug "${workspace}".`);
        return async ({ id, slug }) => {
          const { eraseWorkspace } = await erasures();
          const { progress } = await eraseWorkspace({ id }, `workspace erase ${slug} ${id}`);
          return { id, slug, erased: true, phase: progress?.phase ?? 'done' };
        };
      },
    },
    { takesErased: true },
  ),
};

/** 0: forever; null: as the deployment says. @throws UsageError */
function mailDaysOf(days: string): number | null {
  if (days === 'default') return null;
  return days === 'forever' ? 0 : integer('days', days, 1, 36_500);
}

function shown({ id, slug, name, providedDomain, createdAt, erasedAt }: Workspace) {
  return {
    id,
    slug,
    name,
    provided_domain: providedDomain,
    created_at: timestamp(createdAt),
    erased_at: erasedAt === null ? null : timestamp(erasedAt),
  };
}

async function show(workspace: Workspace) {
  const { id } = workspace;
  const [{ findWorkspaceSettings, listMembers }, { listKeys }, { listEndpoints }, { findErasure }] =
    await Promise.all([
      services(),
      keyServices(),
      import('../../lib/services/webhooks/endpoints.ts'),
      erasures(),
    ]);
  const [members, keys, endpoints, settings, current, erasure] = await Promise.all([
    listMembers(id),
    listKeys(id, { limit: limits.apiKeys, after: null }),
    listEndpoints(id, { limit: limits.endpoints, after: null }),
    findWorkspaceSettings(id),
    currentLimits(id),
    findErasure(id),
  ]);
  return {
    ...shown(workspace),
    members: members.length,
    api_keys: keys.items.length,
    webhook_endpoints: endpoints.items.length,
    suspended: current.suspended,
    settings: shownSettings(settings),
    limits: current.limits,
    erasure: erasure && { phase: erasure.phase, step: erasure.step },
  };
}

function shownSettings({ eventLog, linkDomain, requireOwnOauthApp, inboundPolicy }: WorkspaceSettings) {
  return {
    event_log: eventLog,
    link_domain: linkDomain,
    require_own_oauth_app: requireOwnOauthApp,
    inbound_policy: { ...inboundPolicy },
  };
}

/** Changes what is given; the limits in force. */
async function currentLimits(
  id: Workspace['id'],
  budgetChange: Parameters<typeof changeBudget>[1] = {},
  capsChange: Parameters<typeof changeRecipientCaps>[1] = {},
) {
  const [{ changeBudget }, { changeRecipientCaps }] = await Promise.all([budgets(), guards()]);
  const budget = await changeBudget(id, budgetChange);
  const { caps, suspension } = await changeRecipientCaps(id, capsChange);
  return {
    limits: {
      units_per_second: budget.unitsPerSecond,
      capacity: budget.capacity,
      in_flight: budget.inFlight,
      recipients_per_hour: caps.perHour,
      recipients_per_day: caps.perDay,
    },
    suspended: shownSuspension(suspension),
  };
}

function shownSuspension(suspension: Suspension | null) {
  return suspension && { reason: suspension.reason, at: timestamp(suspension.at) };
}

/** A host name in ASCII; null for `none`. */
async function readLinkDomain(text: string): Promise<string | null> {
  if (text === 'none') return null;
  // It loads the list of public suffixes.
  const { parseDomainName } = await import('../../lib/core/domains/name.ts');
  const parsed = parseDomainName(text);
  if (!parsed || parsed.wildcard) throw new UsageError(`--domain: ${quoted(text)} is not a host name.`);
  return parsed.name;
}
