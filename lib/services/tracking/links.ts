/** Signed links in our mail: tracking and unsubscribe links (docs/concepts/tracking.md). */
import { claimedWorkspace, type Link, type LinkKind, openLink } from '../../core/tracking/links.ts';
import { findWorkspaceSecrets } from '../../storage/workspaces/workspaces.ts';
import { openSigningSecret } from '../workspaces/signing-secrets.ts';

/** The link of a token; null where this deployment did not sign it. */
export async function readLink(kind: LinkKind, token: string): Promise<Link | null> {
  const workspaceId = claimedWorkspace(token);
  if (!workspaceId) return null;
  const secrets = await findWorkspaceSecrets(workspaceId);
  if (!secrets) return null;
  return openLink(kind, token, await openSigningSecret(workspaceId, 'link-secret', secrets.linkSecret));
}
