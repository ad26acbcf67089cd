/** Sign-in links: made, shown, and used once (docs/concepts/members.md#signing-in). */
import { now } from '../../adapters/clock.ts';
import { hashOf } from '../../adapters/ids.ts';
import { linkMs } from '../../core/access/session.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { Member } from '../../core/workspaces/workspace.ts';
import * as members from '../../storage/workspaces/members.ts';
import * as store from '../../storage/workspaces/sessions.ts';
import { findGranted, newSessionToken, openSession, type Session } from './sessions.ts';

/** A sign-in link. Its token is in the fragment, which browsers send to no server, so that no log has it. */
export interface SignInLink {
  readonly url: string;
  /** Unix milliseconds. */
  readonly endsAt: number;
}

/** Makes a link that signs a member in once within 15 minutes. @param baseUrl scheme and host of the API */
export async function createLink(
  workspaceId: WorkspaceId,
  member: Member,
  baseUrl: string,
): Promise<SignInLink> {
  const token = newSessionToken({ workspaceId, email: member.email });
  const endsAt = now() + linkMs;
  await store.storeLink(workspaceId, hashOf(token), { email: member.email, epoch: member.epoch, endsAt });
  return { url: `${baseUrl}/console/enter#${token}`, endsAt };
}

/** As `createLink`, of the member with an address; null where there is none. */
export async function createLinkFor(
  workspaceId: WorkspaceId,
  email: string,
  baseUrl: string,
): Promise<SignInLink | null> {
  const member = await members.findMember(workspaceId, email);
  return member && (await createLink(workspaceId, member, baseUrl));
}

/** Whom the token of a link signs in, without using it up; null where it does so no longer. */
export async function findLink(token: string): Promise<Session | null> {
  return await findGranted(token, store.findLink);
}

/** Uses a link up and signs its member in. Returns the token of a session of its own; null where the link is used, expired or forged. */
export async function enter(token: string): Promise<string | null> {
  const found = await findLink(token);
  if (!found) return null;
  const { workspace, member } = found;
  const sessionToken = newSessionToken({ workspaceId: workspace.id, email: member.email });
  if (!(await store.useLink(workspace.id, hashOf(token), hashOf(sessionToken)))) return null;
  return await openSession(workspace.id, member, sessionToken);
}
