/** Workspaces and their members, which the operator manages (contract, section 1). */
import { now } from '../adapters/clock.ts';
import { newId, newToken } from '../adapters/ids.ts';
import type { DomainId, WorkspaceId } from '../core/ids.ts';
import { env } from '../env.ts';
import { providedDomainWrites } from './domains.ts';
import {
  memberKey,
  memberPrefix,
  slugKey,
  workspaceKey,
  workspaceListing,
  workspaceListKey,
} from './keys.ts';
import { absent, ConditionFailed, get, type Item, queryAll, transact } from './table.ts';

export interface Workspace {
  readonly id: WorkspaceId;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: number;
  readonly providedDomain: string | null;
}

export interface Member {
  readonly email: string;
  readonly role: 'owner' | 'admin' | 'member';
  /** Whether outage mails go to this member. */
  readonly outageMail: boolean;
}

/** Contract, section 1: 3 to 63 characters, no hyphen at either end. */
export const slugForm = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;

/** A slug that is malformed or held by another workspace; the message is for the operator. */
export class SlugRefused extends Error {}

/**
 * Makes a workspace, with its provided domain where the deployment has a suffix for those.
 *
 * @throws SlugRefused
 */
export async function createWorkspace(input: { slug: string; name: string }): Promise<Workspace> {
  if (!slugForm.test(input.slug)) {
    throw new SlugRefused(`"${input.slug}" is no slug: 3 to 63 of a-z, 0-9 and -, no - at either end`);
  }
  const id = newId('wks');
  const createdAt = now();
  const suffix = env().PROVIDED_DOMAIN;
  const providedDomain = suffix ? `${input.slug}.${suffix}` : null;
  const record = { ...input, createdAt, providedDomain };
  try {
    await transact([
      {
        as: 'workspace',
        put: { ...workspaceKey(id), ...record, cursorSecret: newToken(32), linkSecret: newToken(32) },
      },
      { as: 'slug', put: { ...slugKey(input.slug), workspaceId: id }, ...absent },
      { as: 'list', put: { ...workspaceListKey(id), ...record } },
      ...(providedDomain
        ? providedDomainWrites(id, newId('dom') as DomainId, providedDomain, createdAt)
        : []),
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed && error.write === 'slug') {
      throw new SlugRefused(`the slug "${input.slug}" is held by another workspace`, { cause: error });
    }
    throw error;
  }
  return { id, ...record };
}

/** All workspaces, oldest first: for the operator's command line only. */
export async function listWorkspaces(): Promise<Workspace[]> {
  const items = await queryAll(workspaceListing);
  return items.map((item) => workspace(item.sk as WorkspaceId, item));
}

/** The workspace of a slug, or null. */
export async function findWorkspace(slug: string): Promise<Workspace | null> {
  const claim = await get(slugKey(slug));
  if (!claim) return null;
  const id = claim.workspaceId as WorkspaceId;
  const item = await get(workspaceKey(id));
  return item ? workspace(id, item) : null;
}

function workspace(id: WorkspaceId, item: Item): Workspace {
  return {
    id,
    slug: item.slug as string,
    name: item.name as string,
    createdAt: item.createdAt as number,
    providedDomain: (item.providedDomain as string | null | undefined) ?? null,
  };
}

/** What signs the links in a workspace's mail; null where there is no such workspace. */
export async function findLinkSecret(id: WorkspaceId): Promise<string | null> {
  const item = await get(workspaceKey(id));
  return (item?.linkSecret as string | undefined) ?? null;
}

/** Adds a member, or changes one that is there already. */
export async function putMember(id: WorkspaceId, member: Member): Promise<void> {
  await transact([
    { as: 'workspace', check: workspaceKey(id) },
    { as: 'member', put: { ...memberKey(id, member.email), ...member } },
  ]);
}

export async function listMembers(id: WorkspaceId): Promise<Member[]> {
  const items = await queryAll(workspaceKey(id).pk, memberPrefix);
  return items.map((item) => ({
    email: item.email as string,
    role: item.role as Member['role'],
    outageMail: item.outageMail as boolean,
  }));
}
