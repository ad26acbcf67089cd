/** Members of a workspace: by the API, and by the operator (docs/concepts/members.md). */
import { now } from '../../adapters/clock.ts';
import type { Caller } from '../../core/access/api-key.ts';
import type { MemberId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import { type Member, type MemberInput, memberId } from '../../core/workspaces/workspace.ts';
import * as store from '../../storage/workspaces/members.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';

/** Who changes members; the operator's commands are audited by themselves. */
export type Changer = Pick<Caller, 'actor' | 'role'> | 'operator';

const notFound = () => new Problem('not_found', 'There is no such member.');

/** A page of members, by email address. */
export async function listMembers(workspaceId: WorkspaceId, { limit, after }: Paging): Promise<Page<Member>> {
  const all = await store.listMembers(workspaceId);
  const rest = all.filter(({ email }) => after === null || email.toLowerCase() > after);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && rest.length > limit ? last.email.toLowerCase() : null };
}

/**
 * Adds a member.
 *
 * @throws Problem forbidden (an owner, by another than an owner), member_exists, limit_reached
 */
export async function addMember(workspaceId: WorkspaceId, input: MemberInput, by: Changer): Promise<Member> {
  if (input.role === 'owner') requireOwner(by);
  const all = await store.listMembers(workspaceId);
  if (findById(all, memberId(input.email))) throw memberExists();
  if (all.length >= limits.members) {
    throw new Problem('limit_reached', `A workspace has at most ${limits.members} members.`);
  }
  const audit = auditOf(by, 'member.added', input.email);
  const added = await store.addMember(workspaceId, input, { audit });
  if (!added) throw memberExists();
  return added;
}

const memberExists = () => new Problem('member_exists', 'The address is that of a member already.');

/**
 * Changes what `change` names of a member, effective with its next request.
 *
 * @throws Problem not_found, last_owner, forbidden (of an owner or to one, by another than an owner)
 */
export async function changeMember(
  workspaceId: WorkspaceId,
  id: MemberId,
  change: { readonly [Name in 'role' | 'outageMail']?: Member[Name] | undefined },
  by: Changer,
): Promise<Member> {
  return await retryOnConflict(`member ${id}`, async () => {
    const all = await store.listMembers(workspaceId);
    const before = findById(all, id);
    if (!before) throw notFound();
    const after = {
      ...before,
      role: change.role ?? before.role,
      outageMail: change.outageMail ?? before.outageMail,
    };
    const isOther = after.role !== before.role;
    if (isOther && (before.role === 'owner' || after.role === 'owner')) requireOwner(by);
    const remaining = isOther ? remainingOwner(all, before, by) : null;
    const audit = auditOf(by, 'member.changed', before.email);
    return (await store.updateMember(workspaceId, before, after, { audit, remaining })) ? after : conflict;
  });
}

/**
 * Removes a member: its sessions are refused from the next request on.
 *
 * @throws Problem not_found, last_owner, forbidden (an owner, by another than an owner)
 */
export async function removeMember(workspaceId: WorkspaceId, id: MemberId, by: Changer): Promise<void> {
  await retryOnConflict(`member ${id}`, async () => {
    const all = await store.listMembers(workspaceId);
    const member = findById(all, id);
    if (!member) throw notFound();
    if (member.role === 'owner') requireOwner(by);
    const remaining = remainingOwner(all, member, by);
    const audit = auditOf(by, 'member.removed', member.email);
    return (await store.removeMember(workspaceId, member, { audit, remaining })) ? null : conflict;
  });
}

/**
 * All members, for the operator. Members of release 0.2.0 and before get what a request for sign-in links finds them by.
 */
export async function listMembersForOperator(workspaceId: WorkspaceId): Promise<readonly Member[]> {
  const all = await store.listMembers(workspaceId);
  for (const member of all.filter(({ createdAt }) => createdAt === null)) {
    await store.repairMembership(workspaceId, member);
  }
  return all;
}

function findById(members: readonly Member[], id: MemberId): Member | null {
  return members.find(({ email }) => memberId(email) === id) ?? null;
}

/** Keys are no owners: an admin, who makes keys, would otherwise make itself one. @throws Problem forbidden */
function requireOwner(by: Changer): void {
  if (by === 'operator' || by.role === 'owner') return;
  throw new Problem('forbidden', 'Owners are changed by an owner in the console, or by the operator.');
}

/** Another owner, where the member is one; null for others, and where the operator acts. @throws Problem last_owner */
function remainingOwner(all: readonly Member[], { email, role }: Member, by: Changer): string | null {
  if (role !== 'owner' || by === 'operator') return null;
  const other = all.find((member) => member.role === 'owner' && member.email !== email);
  if (other) return other.email;
  throw new Problem('last_owner', 'The last owner can be neither removed nor given another role.');
}

function auditOf(by: Changer, action: AuditEntry['action'], email: string): AuditEntry | null {
  return by === 'operator' ? null : { at: now(), actor: by.actor, action, subject: email };
}
