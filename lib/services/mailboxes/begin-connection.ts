/** The beginning of a connection: the URL of the provider's consent page (docs/concepts/mailboxes.md#connecting). */
import { createHash } from 'node:crypto';
import { now } from '../../adapters/clock.ts';
import { newToken } from '../../adapters/ids.ts';
import { providerAuthorization } from '../../adapters/mailbox-providers/index.ts';
import { secureBytes } from '../../adapters/random.ts';
import { type OauthAppId, parseId, type SpaceId, type WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { type Consent, consentMs, newState } from '../../core/mailboxes/consent.ts';
import type { MailboxProviderName } from '../../core/mailboxes/mailbox.ts';
import type { OauthApp } from '../../core/mailboxes/oauth-app.ts';
import { isRegistered, parseReturnUrl } from '../../core/mailboxes/return-urls.ts';
import { invalidField, Problem } from '../../core/problems.ts';
import { env } from '../../env.ts';
import { storeConsent } from '../../storage/mailboxes/consents.ts';
import { findAppBySlug } from '../../storage/mailboxes/oauth-apps.ts';
import { findLinkTerms, findWorkspaceSettings } from '../../storage/workspaces/workspaces.ts';
import { readRegion } from '../domains/mail-region.ts';
import { getSpace } from '../spaces/spaces.ts';
import { openSigningSecret } from '../workspaces/signing-secrets.ts';
import { getApp } from './oauth-apps.ts';
import { hasSharedApp, oauthClientOf } from './oauth-client.ts';
import { sealToken } from './sealed-tokens.ts';

/** What the API call gives. */
export interface ConnectRequest {
  readonly provider: MailboxProviderName;
  readonly returnTo: string;
  /** null: a shared app. */
  readonly appId: OauthAppId | null;
  /** undefined: a mailbox that is there stays in its space. */
  readonly spaceId: SpaceId | null | undefined;
  readonly ref: string | null;
  readonly region: string | undefined;
  readonly backfillDays: number;
}

/**
 * The URL of a connection that the workspace itself asks for.
 *
 * @param redirectUri of the provider
 * @throws Problem invalid_return_url, invalid_request, not_found (app, space), shared_apps_disabled, unknown_region
 */
export async function beginConnection(
  workspaceId: WorkspaceId,
  request: ConnectRequest,
  redirectUri: string,
): Promise<string> {
  const url = parseReturnUrl(request.returnTo);
  if (typeof url === 'string') throw invalidReturnUrl(url);
  const region = readRegion(request.region);
  await Promise.all([
    request.appId === null
      ? checkSharedApp(workspaceId, request.provider)
      : checkApp(workspaceId, request.appId, request.provider),
    request.spaceId ? getSpace(workspaceId, request.spaceId) : null,
  ]);
  const { spaceId } = request;
  const space = spaceId === undefined ? null : { id: spaceId };
  return await consentUrl(workspaceId, { ...request, space, region, redirectUri });
}

/** @param message a predicate */
const invalidReturnUrl = (message: string) =>
  new Problem('invalid_return_url', `return_to ${message}.`, { issues: [{ path: 'return_to', message }] });

async function checkApp(
  workspaceId: WorkspaceId,
  id: OauthAppId,
  provider: MailboxProviderName,
): Promise<void> {
  const app = await getApp(workspaceId, id);
  if (app.provider !== provider)
    throw invalidField('provider', `must be ${app.provider}, as of the OAuth app`);
}

async function checkSharedApp(workspaceId: WorkspaceId, provider: MailboxProviderName): Promise<void> {
  const { requireOwnOauthApp } = await findWorkspaceSettings(workspaceId);
  if (requireOwnOauthApp) {
    throw new Problem('shared_apps_disabled', 'The workspace requires its own OAuth app: send app_id.');
  }
  if (!hasSharedApp(provider)) {
    throw new Problem('shared_apps_disabled', `There is no shared OAuth app for ${provider}: send app_id.`);
  }
}

/** The app of a hosted page with its workspace. @throws Problem not_found */
export async function findConnectApp(
  slug: string,
): Promise<{ readonly workspaceId: WorkspaceId; readonly app: OauthApp }> {
  const found = await findAppBySlug(slug);
  // Of an erased workspace nothing is found, though its apps are removed later.
  const isThere = found !== null && (await findLinkTerms(found.workspaceId)) !== null;
  if (!isThere) throw new Problem('not_found', 'There is no such page.');
  return { workspaceId: found.workspaceId, app: found.app };
}

/** Parameters of a link to a hosted page; null: absent. */
export interface LinkParameters {
  readonly returnTo: string | null;
  readonly ref: string | null;
  readonly spaceId: string | null;
}

/** Checked parameters of a link. */
interface Link {
  readonly returnTo: string | null;
  readonly ref: string | null;
  readonly space: { readonly id: SpaceId } | null;
}

/**
 * Checks a link to the page of an app. Whoever opens it may have changed it.
 *
 * @returns `returnTo`: without one, the first that is registered; null: none is
 * @throws Problem invalid_return_url, return_url_not_registered, invalid_query, not_found (space)
 */
export async function checkLink(
  workspaceId: WorkspaceId,
  { returnUrls }: OauthApp,
  { returnTo, ref, spaceId }: LinkParameters,
): Promise<Link> {
  const url = returnTo === null ? null : parseReturnUrl(returnTo);
  if (typeof url === 'string') throw invalidReturnUrl(url);
  if (url !== null && !isRegistered(returnUrls, url)) {
    throw new Problem('return_url_not_registered', 'return_to is not registered with the OAuth app.');
  }
  if (ref !== null && ref.length > limits.mailboxRefCharacters) {
    throw new Problem('invalid_query', `ref has more than ${limits.mailboxRefCharacters} characters.`);
  }
  const id = spaceId === null ? null : parseId('spc', spaceId);
  if (spaceId !== null && id === null) throw new Problem('not_found', 'The space does not exist.');
  if (id) await getSpace(workspaceId, id);
  return { returnTo: returnTo ?? returnUrls[0] ?? null, ref, space: id && { id } };
}

/** The URL of a connection that a browser begins at the page of an app. @throws Problem as `checkLink`, not_found (app) */
export async function beginLinkedConnection(
  slug: string,
  parameters: LinkParameters,
  redirectUriOf: (provider: MailboxProviderName) => string,
): Promise<string> {
  const { workspaceId, app } = await findConnectApp(slug);
  const link = await checkLink(workspaceId, app, parameters);
  const { id: appId, provider } = app;
  const redirectUri = redirectUriOf(provider);
  const region = env().DEFAULT_REGION;
  return await consentUrl(workspaceId, { provider, appId, ...link, region, backfillDays: 0, redirectUri });
}

async function consentUrl(
  workspaceId: WorkspaceId,
  asked: Omit<Consent, 'sealedVerifier' | 'expiresAt'>,
): Promise<string> {
  const { provider, redirectUri } = asked;
  const terms = await findLinkTerms(workspaceId);
  if (!terms) throw new Problem('not_found', 'There is no such page.');
  const secret = await openSigningSecret(workspaceId, 'link-secret', terms.linkSecret);
  const state = newState(workspaceId, secureBytes(16), secret);
  const verifier = newToken(32);
  const [authorization, client, sealedVerifier] = await Promise.all([
    providerAuthorization(provider),
    oauthClientOf(workspaceId, asked),
    sealToken(workspaceId, verifier),
  ]);
  const expiresAt = now() + consentMs;
  await storeConsent(workspaceId, state, { ...asked, sealedVerifier, expiresAt });
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  return authorization.consentUrl(client, { redirectUri, state, codeChallenge });
}
