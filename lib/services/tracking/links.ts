/** Signed links in our mail: tracking and unsubscribe links (docs/concepts/tracking.md). */
import { claimedWorkspace, type Link, type LinkKind, openLink } from '../../core/links.ts';
import { findWorkspaceSecrets } from '../../storage/workspaces.ts';

/** The link of a token; null where this deployment did not sign it. */
export async function readLink(kind: LinkKind, token: string): Promise<Link | null> {
  const workspaceId = claimedWorkspace(token);
  const secrets = workspaceId && (await findWorkspaceSecrets(workspaceId));
  return secrets ? openLink(kind, token, secrets.linkSecret) : null;
}
