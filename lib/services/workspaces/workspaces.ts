/** Workspaces: created by the operator, each with its secrets and its provided domain. */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { InboundPolicy } from '../../core/inbound-policy.ts';
import { slugPattern, type Workspace } from '../../core/workspace.ts';
import { env } from '../../env.ts';
import { domainWrites } from '../../storage/domains.ts';
import * as store from '../../storage/workspaces.ts';
import { newSigningSecret } from './signing-secrets.ts';

export { findWorkspace, listMembers, listWorkspaces, putMember } from '../../storage/workspaces.ts';

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

/**
 * Changes the inbound policy of a workspace, and returns the policy in force.
 *
 * @throws Error where there is no such workspace
 */
export async function updateInboundPolicy(
  id: WorkspaceId,
  change: Partial<InboundPolicy>,
): Promise<InboundPolicy> {
  const settings = await store.findWorkspaceSettings(id);
  const inboundPolicy = { ...settings.inboundPolicy, ...change };
  if (!(await store.updateWorkspaceSettings(id, { ...settings, inboundPolicy }))) {
    throw new Error(`no workspace ${id}`);
  }
  return inboundPolicy;
}

/**
 * Switches the event log of a workspace.
 *
 * @throws Error where there is no such workspace
 */
export async function switchEventLog(id: WorkspaceId, eventLog: boolean): Promise<void> {
  const settings = await store.findWorkspaceSettings(id);
  if (!(await store.updateWorkspaceSettings(id, { ...settings, eventLog })))
    throw new Error(`no workspace ${id}`);
}

/**
 * Sets the host of the links in a workspace's mail; null: that of the API. It is used from the next submitted email on.
 *
 * @throws Error where there is no such workspace
 */
export async function changeLinkDomain(id: WorkspaceId, linkDomain: string | null): Promise<void> {
  const settings = await store.findWorkspaceSettings(id);
  if (!(await store.updateWorkspaceSettings(id, { ...settings, linkDomain })))
    throw new Error(`no workspace ${id}`);
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
