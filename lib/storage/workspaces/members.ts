/** Members of workspaces, and the workspaces of an address. */
import { now } from '../../adapters/clock.ts';
import { memberRoles } from '../../core/access/access.ts';
import type { MemberId, WorkspaceId } from '../../core/ids.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import { type Member, type MemberInput, memberId } from '../../core/workspaces/workspace.ts';
import {
  codec,
  flag,
  id,
  knownAs,
  nullable,
  number,
  oneOf,
  sortKey,
  text,
  withDefault,
} from '../table/codec.ts';
import { absentIn, expressionsOf, type Requirement } from '../table/expressions.ts';
import { memberKey, memberPrefix, membershipKey, memberships, workspaceKey } from '../table/keys.ts';
import { listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { type Item, queryAll } from '../table/table.ts';
import { absent, commitIfUnchanged, present, type Write } from '../table/transactions.ts';
import { addAuditEntry } from './audit.ts';

const memberCodec = codec<Member>('member', {
  email: text,
  role: knownAs(oneOf(memberRoles), (role) => (role === 'viewer' ? 'member' : role)),
  outageMail: flag,
  createdAt: nullable(number),
  epoch: withDefault(number, 0),
});

const membershipCodec = codec<{ readonly workspaceId: WorkspaceId; readonly email: string }>('membership', {
  workspaceId: sortKey(id('wks')),
  email: text,
});

/** Beside the change of a member. */
interface With {
  /** null: the operator's command is the entry. */
  readonly audit?: AuditEntry | null;
  /** An owner who must remain one. */
  readonly remaining?: string | null;
}

/** Adds a member. null where the workspace has one with this email address, or is gone. */
export async function addMember(id: WorkspaceId, input: MemberInput, of: With = {}): Promise<Member | null> {
  const at = now();
  const member: Member = { ...input, createdAt: at, epoch: at };
  const isAdded = await commitIfUnchanged(id, [
    inUse(id),
    { as: 'member', put: { ...memberKey(id, member.email), ...memberCodec.encode(member) }, ...absent },
    membership(id, member.email),
    ...further(id, of),
  ]);
  return isAdded ? member : null;
}

/** The write that checks that a workspace is in use. */
export const inUse = (id: WorkspaceId): Write => ({
  as: 'workspace',
  check: workspaceKey(id),
  ...expressionsOf({}, { exists: true, absent: ['erasedAt'] }),
});

/** The item by which an address leads to its workspaces. */
function membership(id: WorkspaceId, email: string): Write {
  return {
    as: 'membership',
    put: { ...membershipKey(memberId(email), id), ...membershipCodec.encode({ workspaceId: id, email }) },
  };
}

function further(id: WorkspaceId, { audit, remaining }: With): Write[] {
  const owner = expressionsOf({}, { exists: true, equal: { role: 'owner' } });
  return [
    ...(remaining ? [{ as: 'remaining', check: memberKey(id, remaining), ...owner }] : []),
    ...(audit ? [addAuditEntry(id, audit)] : []),
  ];
}

function hasRole({ role }: Pick<Member, 'role'>): Requirement {
  const equal = memberCodec.part({ role });
  // A viewer is stored as a member. What the previous release has made of one since, keeps the attribute.
  return { exists: true, equal, absent: role === 'member' ? absentIn(equal) : [] };
}

/** Stores a changed role or choice. False where the member has changed since, or `remaining` is no owner: nothing was written. */
export async function updateMember(
  id: WorkspaceId,
  before: Member,
  after: Member,
  of: With = {},
): Promise<boolean> {
  const { role, outageMail } = after;
  const set = memberCodec.part({ role, outageMail });
  const change = expressionsOf({ set, remove: absentIn(set) }, hasRole(before));
  return await commitIfUnchanged(id, [
    { as: 'member', update: memberKey(id, before.email), ...change },
    membership(id, before.email),
    ...further(id, of),
  ]);
}

/** Removes a member. False where the member has changed since, or `remaining` is no owner: nothing was written. */
export async function removeMember(
  id: WorkspaceId,
  { email, role }: Member,
  of: With = {},
): Promise<boolean> {
  return await commitIfUnchanged(id, [
    { as: 'member', delete: memberKey(id, email), ...expressionsOf({}, hasRole({ role })) },
    { as: 'membership', delete: membershipKey(memberId(email), id) },
    ...further(id, of),
  ]);
}

/** Ends the sessions of a member, and its links. False where there is no such member. */
export async function raiseEpoch(
  id: WorkspaceId,
  { email, epoch }: Member,
  audit: AuditEntry,
): Promise<boolean> {
  const change = expressionsOf({ set: { epoch: Math.max(now(), epoch + 1) } }, { exists: true });
  return await commitIfUnchanged(id, [
    { as: 'member', update: memberKey(id, email), ...change },
    addAuditEntry(id, audit),
  ]);
}

/** Stores the membership of a member that was added by release 0.2.0 or before: it has none. */
export async function repairMembership(id: WorkspaceId, { email }: Member): Promise<void> {
  await commitIfUnchanged(id, [
    { as: 'member', check: memberKey(id, email), ...present },
    membership(id, email),
  ]);
}

/** The member with an address, or null. */
export async function findMember(id: WorkspaceId, email: string): Promise<Member | null> {
  const item = await get(memberKey(id, email));
  return item && memberCodec.decode(item);
}

/** The write that checks that a member is one still, of the same epoch. */
export function sameMember(id: WorkspaceId, { email, createdAt, epoch }: Member): Write {
  // An item of release 0.2.0 or before has no epoch.
  const same = createdAt === null && epoch === 0 ? { absent: ['epoch'] } : { equal: { epoch } };
  return { as: 'member', check: memberKey(id, email), ...expressionsOf({}, { exists: true, ...same }) };
}

/** All members of a workspace, by email address. */
export async function listMembers(id: WorkspaceId): Promise<Member[]> {
  const items = await queryAll(workspaceKey(id).pk, memberPrefix);
  return items.map(memberCodec.decode);
}

/** Members of any workspaces with one address, the oldest workspace first. Some may be gone meanwhile: read them. */
export async function findMemberships(
  member: MemberId,
  limit: number,
): Promise<readonly { readonly workspaceId: WorkspaceId; readonly email: string }[]> {
  const { items } = await listPage({
    pk: memberships(member),
    order: 'oldest first',
    limit,
    after: null,
  });
  return items.map(membershipCodec.decode);
}

/** The keys of the memberships among the items of an erased workspace. */
export function membershipsAmong(id: WorkspaceId, items: readonly Item[]) {
  return items
    .filter(({ sk }) => sk.startsWith(memberPrefix))
    .map((item) => membershipKey(memberId(memberCodec.decode(item).email), id));
}
