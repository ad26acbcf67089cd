/** Mails a member links to the consoles of its workspaces. */

import { now } from '../../adapters/clock.ts';
import { linkMs, linksPerMail } from '../../core/access/session.ts';
import { signInNotice } from '../../core/notices/sign-in-notice.ts';
import type { MailLinks } from '../../core/queue-messages.ts';
import { allDone } from '../../core/work/all-done.ts';
import { env } from '../../env.ts';
import { logEvent } from '../../observability/log.ts';
import { findMember, findMemberships } from '../../storage/workspaces/members.ts';
import { findWorkspaceById } from '../../storage/workspaces/workspaces.ts';
import { mailMembers } from '../notices/mail-members.ts';
import { createLink } from './sign-in.ts';

/**
 * Processes a `mail-links` message: one mail with a link for each workspace of the address. Nothing where it has none.
 *
 * @throws Error where SES accepts nothing now: to be repeated
 */
export async function mailLinks({ memberId, requestId, at, baseUrl }: MailLinks): Promise<void> {
  // Nobody waits for it any more.
  if (now() >= at + linkMs) return;
  const found = await allDone(
    (await findMemberships(memberId, linksPerMail)).map(async ({ workspaceId, email }) => {
      const [member, workspace] = await Promise.all([
        findMember(workspaceId, email),
        findWorkspaceById(workspaceId),
      ]);
      return member && workspace?.erasedAt === null ? [{ member, workspace }] : [];
    }),
  );
  const memberships = found.flat();
  const [first] = memberships;
  if (!first) return;
  const links = await allDone(
    memberships.map(async ({ member, workspace }) => {
      const { url } = await createLink(workspace.id, member, baseUrl);
      return { workspace: workspace.name, url };
    }),
  );
  const notice = signInNotice({ requestId, brand: env().BRAND, at, links });
  await mailMembers(first.workspace.id, notice, [first.member.email], (recipients) => {
    logEvent('login.links_mailed', { workspace_id: first.workspace.id, recipients });
  });
}
