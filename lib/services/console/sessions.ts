/** Sessions of the console: made, found and ended (docs/concepts/members.md#sessions). */
import { now } from '../../adapters/clock.ts';
import { hashOf, newToken } from '../../adapters/ids.ts';
import { roleScopes } from '../../core/access/access.ts';
import type { Actor, Caller } from '../../core/access/api-key.ts';
import { composeToken, sessionMs, type TokenSubject, tokenSubject } from '../../core/access/session.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { AuditEntry } from '../../core/workspaces/audit.ts';
import type { Member, Workspace } from '../../core/workspaces/workspace.ts';
import * as members from '../../storage/workspaces/members.ts';
import * as store from '../../storage/workspaces/sessions.ts';
import { findWorkspaceById, findWorkspaceSecrets } from '../../storage/workspaces/workspaces.ts';

export const actorOf = ({ email }: Pick<Member, 'email'>): Actor & `member:${string}` => `member:${email}`;

/** A sign-in that is in force. */
export interface Session {
  readonly workspace: Workspace;
  readonly member: Member;
  /** Unix milliseconds. */
  readonly endsAt: number;
  readonly cursorSecret: string;
}

/**
 * Signs a member in. Also for the local run, which has no mail to read: everything else needs a link (`enter`).
 *
 * @returns the token; null where there is no such member, or the workspace is erased
 */
export async function createSession(workspaceId: WorkspaceId, email: string): Promise<string | null> {
  const member = await members.findMember(workspaceId, email);
  return (
    member && (await openSession(workspaceId, member, newSessionToken({ workspaceId, email: member.email })))
  );
}

/** A token of a session that is yet to be opened, for its browser only: it is stored nowhere. */
export const newSessionToken = (subject: TokenSubject): string => composeToken(subject, newToken(32));

/** Stores the session of a token, and returns the token. Null where the member has signed out everywhere or is gone, or the workspace is erased. */
export async function openSession(
  workspaceId: WorkspaceId,
  member: Member,
  token: string,
): Promise<string | null> {
  const at = now();
  const endsAt = at + sessionMs;
  const audit = entryOf(at, member, 'member.signed_in');
  return (await store.storeSession(workspaceId, hashOf(token), { member, endsAt, audit })) ? token : null;
}

const entryOf = (at: number, member: Member, action: AuditEntry['action']): AuditEntry => ({
  at,
  actor: actorOf(member),
  action,
  subject: member.email,
});

/**
 * The session of a token; null for a forged or ended one, and where the membership has ended. One consistent read of three
 * items, so that a changed role, a removed member and an erased workspace count with the next request.
 */
export async function findSession(token: string): Promise<Session | null> {
  return await findGranted(token, store.findSession);
}

/** What a token of a session or of a link is good for. */
export async function findGranted(
  token: string,
  find: (workspaceId: WorkspaceId, hash: string) => Promise<store.Grant | null>,
): Promise<Session | null> {
  const subject = tokenSubject(token);
  return subject && (await findGrantedTo(subject, hashOf(token), find));
}

/** The session of a token of which only the hash is known, as `findSession`. */
export async function findSessionByHash(subject: TokenSubject, hash: string): Promise<Session | null> {
  return await findGrantedTo(subject, hash, store.findSession);
}

async function findGrantedTo(
  { workspaceId, email }: TokenSubject,
  hash: string,
  find: (workspaceId: WorkspaceId, hash: string) => Promise<store.Grant | null>,
): Promise<Session | null> {
  const [grant, member, workspace, secrets] = await Promise.all([
    find(workspaceId, hash),
    members.findMember(workspaceId, email),
    findWorkspaceById(workspaceId),
    findWorkspaceSecrets(workspaceId),
  ]);
  // An erased workspace has no secrets.
  if (!grant || !member || !workspace || !secrets) return null;
  if (now() >= grant.endsAt || grant.epoch !== member.epoch) return null;
  return { workspace, member, endsAt: grant.endsAt, cursorSecret: secrets.cursorSecret };
}

/** The caller of a request with a session. */
export async function findCallerOfSession(token: string): Promise<Caller | null> {
  const session = await findSession(token);
  if (!session) return null;
  const { workspace, member, cursorSecret } = session;
  const { role } = member;
  return {
    workspaceId: workspace.id,
    actor: actorOf(member),
    scope: roleScopes[role],
    role,
    sessionHash: hashOf(token),
    cursorSecret,
  };
}

/** Ends a session, or all sessions of its member with the links that are on the way. Nothing to do where it has ended. */
export async function signOut(token: string, of: { readonly isEverywhere: boolean }): Promise<void> {
  const session = await findSession(token);
  if (!session) return;
  const { workspace, member } = session;
  await store.removeSession(workspace.id, hashOf(token));
  if (!of.isEverywhere) return;
  await members.raiseEpoch(workspace.id, member, entryOf(now(), member, 'member.signed_out_everywhere'));
}
