/** Tokens of mailboxes and secrets of OAuth apps, sealed under KMS for their workspace and purpose. */
import { seal, unseal } from '../../adapters/secrets.ts';
import type { SecretPurpose } from '../../core/access/access.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { SealedTokens } from '../../core/mailboxes/credentials.ts';
import type { Tokens } from '../../core/mailboxes/provider.ts';
import { Recent } from '../../core/work/recent.ts';

/** KMS encrypts 4096 bytes at most ("Encrypt", AWS KMS API Reference); tokens of Microsoft may be longer. */
const partBytesMax = 4096;

const mailboxToken = 'mailbox-token';

/** A token, sealed in parts. It is ASCII ("Bearer Token Usage", RFC 6750, 2.1; RFC 6749, appendix A.17). */
export async function sealToken(workspaceId: WorkspaceId, token: string): Promise<readonly string[]> {
  const count = Math.max(1, Math.ceil(token.length / partBytesMax));
  const parts = Array.from({ length: count }, (_, at) =>
    token.slice(at * partBytesMax, (at + 1) * partBytesMax),
  );
  return await Promise.all(parts.map((part) => seal(part, { workspaceId, purpose: mailboxToken })));
}

/** Tokens as they are stored. @param before the refresh token stays where the provider gives no new one */
export async function sealTokens(
  workspaceId: WorkspaceId,
  { accessToken, refreshToken, expiresAt }: Tokens,
  before: Pick<SealedTokens, 'refreshToken'>,
): Promise<SealedTokens> {
  const [access, refresh] = await Promise.all([
    sealToken(workspaceId, accessToken),
    refreshToken === null ? before.refreshToken : sealToken(workspaceId, refreshToken),
  ]);
  remember(workspaceId, access, Promise.resolve(accessToken));
  return { accessToken: access, refreshToken: refresh, expiresAt };
}

/** Opened access tokens by their sealed form: one KMS call each, not one per call of the provider. */
const opened = new Recent<string, Promise<string>>();

const nameOf = (workspaceId: WorkspaceId, parts: readonly string[]) => `${workspaceId} ${parts.join(' ')}`;

function remember(workspaceId: WorkspaceId, parts: readonly string[], token: Promise<string>): void {
  const name = nameOf(workspaceId, parts);
  opened.set(name, token);
  // A failed call is repeated by the next one.
  token.catch(() => opened.delete(name));
}

/** An access token. @throws where it was sealed for another workspace */
export async function openAccessToken(workspaceId: WorkspaceId, parts: readonly string[]): Promise<string> {
  const known = opened.get(nameOf(workspaceId, parts)) ?? openToken(workspaceId, parts);
  remember(workspaceId, parts, known);
  return await known;
}

/** A refresh token, which is needed once an hour and not remembered. */
export async function openToken(workspaceId: WorkspaceId, parts: readonly string[]): Promise<string> {
  const open = (part: string) => unseal(part, { workspaceId, purpose: mailboxToken });
  return (await Promise.all(parts.map(open))).join('');
}

const appSecret: SecretPurpose = 'oauth-app-secret';

/** The client secret of an OAuth app as it is stored. */
export async function sealClientSecret(workspaceId: WorkspaceId, secret: string): Promise<string> {
  return await seal(secret, { workspaceId, purpose: appSecret });
}

export async function openClientSecret(workspaceId: WorkspaceId, sealed: string): Promise<string> {
  return await unseal(sealed, { workspaceId, purpose: appSecret });
}
