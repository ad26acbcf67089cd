/** Who asked a person to connect a mailbox, for pages that tell of a problem. What they show was checked, as for a connection. */
import type { WorkspaceId } from '../../core/ids.ts';
import { type Consent, isStateOf, workspaceOfState } from '../../core/mailboxes/consent.ts';
import type { OauthApp } from '../../core/mailboxes/oauth-app.ts';
import { isRegistered, parseReturnUrl } from '../../core/mailboxes/return-urls.ts';
import { findConsent } from '../../storage/mailboxes/consents.ts';
import { findApp } from '../../storage/mailboxes/oauth-apps.ts';
import { findLinkTerms } from '../../storage/workspaces/workspaces.ts';
import { openSigningSecret } from '../workspaces/signing-secrets.ts';
import { findConnectApp, type LinkParameters } from './begin-connection.ts';

export interface Asker {
  /** null: a shared app, or one that is gone. */
  readonly app: OauthApp | null;
  /** `returnTo`: a URL that the app has registered, or that its workspace gave; null: there is none. */
  readonly link: LinkParameters;
}

/** Of a link to a hosted page. @throws Problem not_found (app) */
export async function askerOfLink(slug: string, link: LinkParameters): Promise<Asker> {
  const { app } = await findConnectApp(slug);
  const url = link.returnTo === null ? null : parseReturnUrl(link.returnTo);
  const isKnown = url instanceof URL && isRegistered(app.returnUrls, url);
  return { app, link: { ...link, returnTo: isKnown ? link.returnTo : (app.returnUrls[0] ?? null) } };
}

/** Of a consent URL of this deployment that has not come back yet; null: unknown. */
export async function askerOfState(state: string): Promise<Asker | null> {
  const workspaceId = await signerOf(state);
  const consent = workspaceId && (await findConsent(workspaceId, state));
  return consent && (await askerOfConsent(workspaceId, consent));
}

/** The workspace that has signed a state; null: it is forged, or the workspace is erased. */
export async function signerOf(state: string): Promise<WorkspaceId | null> {
  const workspaceId = workspaceOfState(state);
  const terms = workspaceId && (await findLinkTerms(workspaceId));
  if (!terms) return null;
  const secret = await openSigningSecret(workspaceId, 'link-secret', terms.linkSecret);
  return isStateOf(state, secret) ? workspaceId : null;
}

export async function askerOfConsent(
  workspaceId: WorkspaceId,
  { appId, ref, returnTo, space }: Consent,
): Promise<Asker> {
  const found = appId && (await findApp(workspaceId, appId));
  return { app: found ? found.app : null, link: { returnTo, ref, spaceId: space?.id ?? null } };
}
