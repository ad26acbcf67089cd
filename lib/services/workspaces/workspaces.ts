/** Workspaces: created by the operator, each with its secrets and its provided domain. */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { Problem } from '../../core/problems.ts';
import type { InboundPolicy } from '../../core/receiving/inbound-policy.ts';
import { slugPattern, type Workspace, type WorkspaceSettings } from '../../core/workspaces/workspace.ts';
import { env } from '../../env.ts';
import { domainWrites } from '../../storage/domains/domains.ts';
import * as store from '../../storage/workspaces/workspaces.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { newSigningSecret } from './signing-secrets.ts';

export { addMember, listMembers } from '../../storage/workspaces/members.ts';
export {
  findWorkspace,
  findWorkspaceSettings,
  listWorkspaces,
} from '../../storage/workspaces/workspaces.ts';

/** A slug that is malformed or held by another workspace; the message is for the operator. */
export class SlugRefused extends Error {}

/**
 * Creates a workspace, with its provided domain where the deployment has a suffix for those.
 *
 * @throws SlugRefused
 */
export async function createWorkspace(input: {
  readonly slug: string;
  readonly name: string;
}): Promise<Workspace> {
  const { slug, name } = input;
  if (!slugPattern.test(slug)) {
    throw new SlugRefused(`"${slug}" is not a slug: 3 to 63 of a-z, 0-9 and -, without - at either end`);
  }
  const id = newId('wks');
  const createdAt = now();
  const { PROVIDED_DOMAIN: suffix, DEFAULT_REGION: region } = env();
  const providedDomain = suffix ? `${slug}.${suffix}` : null;
  const workspace = { id, slug, name, createdAt, providedDomain, erasedAt: null };
  const [cursorSecret, linkSecret] = await Promise.all([
    newSigningSecret(id, 'cursor-secret'),
    newSigningSecret(id, 'link-secret'),
  ]);
  const domain = providedDomain ? providedDomainOf(providedDomain, region, createdAt) : null;
  const writes = domain ? domainWrites(id, domain, null) : [];
  if ((await store.createWorkspace(workspace, { cursorSecret, linkSecret }, writes)) === 'slug_taken') {
    throw new SlugRefused(`the slug "${slug}" is held by another workspace`);
  }
  return workspace;
}

/** Settings to change; `inboundPolicy` names the verdicts to change. */
export interface SettingsChange {
  readonly inboundPolicy?: Partial<InboundPolicy>;
  readonly eventLog?: boolean;
  /** Host of the links in the workspace's mail, used from the next submitted email on; null: that of the API. */
  readonly linkDomain?: string | null;
  readonly requireOwnOauthApp?: boolean;
}

/**
 * Changes the settings that `change` names, and returns those in force.
 *
 * @throws Problem not_found
 */
export async function changeSettings(id: WorkspaceId, change: SettingsChange): Promise<WorkspaceSettings> {
  return await retryOnConflict(`settings of ${id}`, async () => {
    if (!(await store.findWorkspaceById(id))) throw new Problem('not_found', 'There is no such workspace.');
    const before = await store.findWorkspaceSettings(id);
    const inboundPolicy = { ...before.inboundPolicy, ...change.inboundPolicy };
    const { version, ...after } = { ...before, ...change, inboundPolicy };
    return (await store.updateWorkspaceSettings(id, { ...after, version })) ? after : conflict;
  });
}

/** Verified from the beginning, without records: its identity is part of the deployment. */
function providedDomainOf(name: string, region: string, createdAt: number) {
  return {
    id: newId('dom'),
    name,
    wildcard: false,
    region,
    spaceId: null,
    parentId: null,
    provided: true,
    verifiedAt: createdAt,
    createdAt,
    tracking: { opens: false, clicks: false },
    records: [],
    missing: null,
    nextCheckAt: null,
    version: 1,
  };
}
