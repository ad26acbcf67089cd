/** The operator's commands for workspaces, their limits and settings. */
import { timestamp } from '../lib/adapters/clock.ts';
import { parseDomainName } from '../lib/core/domains/name.ts';
import { limits } from '../lib/core/limits.ts';
import { inboundActions, policyVerdicts } from '../lib/core/receiving/inbound-policy.ts';
import type { Suspension } from '../lib/core/sending/sending-guard.ts';
import { slugPattern, type Workspace, type WorkspaceSettings } from '../lib/core/workspaces/workspace.ts';
import { changeBudget } from '../lib/services/admission/change-budget.ts';
import { createKey, listKeys } from '../lib/services/api-keys/api-keys.ts';
import {
  changeRecipientCaps,
  resumeWorkspace,
  suspendWorkspace,
} from '../lib/services/sending/sending-guard.ts';
import { listEndpoints } from '../lib/services/webhooks/endpoints.ts';
import { eraseWorkspace, findErasure } from '../lib/services/workspaces/erase-workspace.ts';
import {
  changeSettings,
  createWorkspace,
  findWorkspaceSettings,
  listMembers,
  listWorkspaces,
} from '../lib/services/workspaces/workspaces.ts';
import { type Command, neverAudited, onDeployment, onWorkspace, type Values } from './command.ts';
import { linkDomainProblem } from './link-domain.ts';
import { oneOf, optionalInteger, Refused, Usage } from './options.ts';

const limitMax = 999_999_999;
const number = { value: 'N' } as const;

const limitOptions = {
  'units-per-second': { ...number, help: 'units of the request budget that refill in a second' },
  capacity: { ...number, help: 'units that can be spent at once' },
  'in-flight': { ...number, help: 'units of requests that run at the same time' },
  'recipients-per-hour': { ...number, help: 'recipients an hour, without a warm-up' },
  'recipients-per-day': { ...number, help: 'recipients a day, without a warm-up' },
  default: { value: 'WHICH', help: 'back to those of the deployment: budget, recipients or all' },
} as const;

export const workspaceCommands: Readonly<Record<string, Command>> = {
  'workspace create': onDeployment({
    summary:
      'Makes a workspace, with its provided domain, and prints its first full key, which is shown only once.',
    options: {
      slug: {
        value: 'SLUG',
        required: true,
        help: 'its name in addresses and commands, 3 to 63 of a-z, 0-9 and -',
      },
      name: { value: 'NAME', help: 'its name for people; default: the slug' },
    },
    examples: ['workspace create --slug acme --name "Acme Ltd"', 'workspace create --slug acme --json'],
    prepare: ({ slug, name = slug }) => {
      if (!slugPattern.test(slug)) {
        throw new Usage(`--slug: "${slug}" is not 3 to 63 of a-z, 0-9 and -, without - at either end.`);
      }
      return async () => {
        const workspace = await createWorkspace({ slug, name });
        const { token } = await createKey(workspace.id, { name: 'first key', scope: 'full' });
        return { ...shown(workspace), full_key: token };
      };
    },
  }),
  'workspace list': onDeployment({
    summary: 'Lists all workspaces, oldest first.',
    options: {},
    examples: ['workspace list', 'workspace list --json'],
    isAudited: neverAudited,
    prepare: () => async () => (await listWorkspaces()).map(shown),
  }),
  'workspace show': onWorkspace(
    {
      summary: 'Shows a workspace: what it has, its settings and limits, and how far its erasure is.',
      options: {},
      examples: ['workspace show --workspace acme'],
      isAudited: neverAudited,
      prepare: () => show,
    },
    { takesErased: true },
  ),
  'workspace limits': onWorkspace({
    summary:
      'Changes the request budget and the caps on recipients that are given, and prints all that are in force.',
    options: limitOptions,
    examples: [
      'workspace limits --workspace acme',
      'workspace limits --workspace acme --units-per-second 100 --capacity 1000',
      'workspace limits --workspace acme --recipients-per-day 200000',
      'workspace limits --workspace acme --default recipients',
    ],
    isAudited: (values) =>
      Object.keys(limitOptions).some((name) => values[name as keyof typeof limitOptions]),
    prepare: prepareLimits,
  }),
  'workspace suspend': onWorkspace({
    summary: 'Suspends the sending of a workspace: sends are refused with 409, and queued mail waits.',
    options: {},
    examples: ['workspace suspend --workspace acme'],
    prepare: () => async (workspace) => ({
      slug: workspace.slug,
      suspended: true,
      changed: await suspendWorkspace(workspace.id, 'operator'),
    }),
  }),
  'workspace resume': onWorkspace({
    summary: 'Ends a suspension: queued mail goes on, and earlier bounces and complaints no longer count.',
    options: {},
    examples: ['workspace resume --workspace acme'],
    prepare: () => async (workspace) => ({
      slug: workspace.slug,
      suspended: false,
      changed: await resumeWorkspace(workspace.id),
    }),
  }),
  'workspace inbound-policy': onWorkspace({
    summary:
      'Changes what happens to received mail that fails a check (accept, mark or drop), and prints the policy in force.',
    options: {
      spam: { value: 'ACTION', help: 'mail that looks like spam' },
      virus: { value: 'ACTION', help: 'mail with malware' },
      dmarc: { value: 'ACTION', help: "mail that its sender's DMARC policy rejects" },
    },
    examples: [
      'workspace inbound-policy --workspace acme',
      'workspace inbound-policy --workspace acme --spam drop --virus drop',
    ],
    isAudited: (values) => policyVerdicts.some((verdict) => values[verdict]),
    prepare: (values) => {
      const change = policyVerdicts.flatMap((verdict) => {
        const action = values[verdict];
        return action === undefined ? [] : [[verdict, oneOf(verdict, action, inboundActions)] as const];
      });
      return async ({ id }) => ({
        ...(await changeSettings(id, { inboundPolicy: Object.fromEntries(change) })).inboundPolicy,
      });
    },
  }),
  'workspace event-log': onWorkspace({
    summary: 'Switches the storing of events that no webhook endpoint takes on or off.',
    options: { state: { value: 'on|off', required: true, help: 'on is the default of a new workspace' } },
    examples: ['workspace event-log --workspace acme --state off'],
    prepare: ({ state }) => {
      const eventLog = oneOf('state', state, ['on', 'off'] as const) === 'on';
      return async ({ id }) => ({ event_log: (await changeSettings(id, { eventLog })).eventLog });
    },
  }),
  'workspace own-oauth-app': onWorkspace({
    summary: 'Sets whether mailboxes of a workspace are connected through its own OAuth apps only.',
    options: {
      required: { value: 'on|off', required: true, help: 'off is the default of a new workspace' },
    },
    examples: ['workspace own-oauth-app --workspace acme --required on'],
    prepare: ({ required }) => {
      const requireOwnOauthApp = oneOf('required', required, ['on', 'off'] as const) === 'on';
      return async ({ id }) => ({
        require_own_oauth_app: (await changeSettings(id, { requireOwnOauthApp })).requireOwnOauthApp,
      });
    },
  }),
  'workspace link-domain': onWorkspace({
    summary:
      'Sets the host of the links in the mail of a workspace, which must lead to the API already (setting linkDomains).',
    options: { domain: { value: 'HOST|none', required: true, help: 'none: the host of the API' } },
    examples: [
      'workspace link-domain --workspace acme --domain links.acme.dev',
      'workspace link-domain --workspace acme --domain none',
    ],
    prepare: ({ domain }) => {
      const linkDomain = readLinkDomain(domain);
      return async ({ id }) => {
        const isLocal = process.env.AWS_ENDPOINT_URL !== undefined;
        const problem = linkDomain === null || isLocal ? null : await linkDomainProblem(linkDomain);
        if (problem !== null) throw new Refused(problem);
        return { link_domain: (await changeSettings(id, { linkDomain })).linkDomain };
      };
    },
  }),
  'workspace erase': onWorkspace(
    {
      summary:
        'Erases a workspace with everything that it owns. Its keys are refused and nothing is found at once; the rest is removed\n' +
        'in the background within about half an hour. Repeated, it continues an erasure that stands still. There is no way back.',
      options: { confirm: { value: 'SLUG', required: true, help: 'the slug again' } },
      examples: ['workspace erase --workspace acme --confirm acme'],
      // The transaction that begins the erasure has its own entry, in the log of the deployment.
      isAudited: neverAudited,
      prepare: ({ confirm, workspace }) => {
        if (confirm !== workspace) throw new Usage(`--confirm must repeat the slug "${workspace}".`);
        return async ({ id, slug }) => {
          const { progress } = await eraseWorkspace({ id }, `workspace erase ${slug} ${id}`);
          return { id, slug, erased: true, phase: progress?.phase ?? 'done' };
        };
      },
    },
    { takesErased: true },
  ),
};

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

function prepareLimits(values: Values<typeof limitOptions>) {
  const read = (option: keyof typeof limitOptions) => optionalInteger(option, values[option], 1, limitMax);
  const budget = {
    unitsPerSecond: read('units-per-second'),
    capacity: read('capacity'),
    inFlight: read('in-flight'),
  };
  const caps = { perHour: read('recipients-per-hour'), perDay: read('recipients-per-day') };
  const given = values.default;
  const reset =
    given === undefined ? null : oneOf('default', given, ['budget', 'recipients', 'all'] as const);
  const isGiven = (group: object) => Object.values(group).some((value) => value !== undefined);
  const resetsBudget = reset === 'budget' || reset === 'all';
  const resetsCaps = reset === 'recipients' || reset === 'all';
  if ((resetsBudget && isGiven(budget)) || (resetsCaps && isGiven(caps))) {
    throw new Usage(`--default ${reset} resets what another option sets.`);
  }
  return async ({ id }: Workspace) => {
    if (resetsBudget) await changeBudget(id, null);
    if (resetsCaps) await changeRecipientCaps(id, null);
    const current = await currentLimits(id, budget, caps);
    return { ...current.limits, suspended: current.suspended };
  };
}

/** Changes what is given; the limits in force. */
async function currentLimits(
  id: Workspace['id'],
  budgetChange: Parameters<typeof changeBudget>[1] = {},
  capsChange: Parameters<typeof changeRecipientCaps>[1] = {},
) {
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
function readLinkDomain(text: string): string | null {
  if (text === 'none') return null;
  const parsed = parseDomainName(text);
  if (!parsed || parsed.wildcard) throw new Usage(`--domain: "${text}" is not a host name.`);
  return parsed.name;
}
