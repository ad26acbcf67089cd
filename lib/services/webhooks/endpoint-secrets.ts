/** Signing secrets of endpoints: created, sealed under KMS, and opened to sign an attempt. */
import { secureBytes } from '../../adapters/random.ts';
import { type SecretContext, seal, unseal } from '../../adapters/secrets.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { activeSecrets, type EndpointSecrets } from '../../core/webhooks/endpoint.ts';
import { endpointSecretOf } from '../../core/webhooks/signature.ts';
import { Recent } from '../../core/work/recent.ts';

/** Binds a sealed signing secret to its workspace and purpose. */
const contextOf = (workspaceId: WorkspaceId): SecretContext => ({ workspaceId, purpose: 'webhook-secret' });

/** A secret, in plaintext and sealed. @param given absent: a new one */
export async function newEndpointSecret(
  workspaceId: WorkspaceId,
  given?: string,
): Promise<{ readonly secret: string; readonly sealed: string }> {
  const secret = given ?? endpointSecretOf(secureBytes(32));
  return { secret, sealed: await seal(secret, contextOf(workspaceId)) };
}

/** The plaintext secrets that sign at `atMs`, the current one first. */
export async function openActiveSecrets(
  workspaceId: WorkspaceId,
  secrets: EndpointSecrets,
  atMs: number,
): Promise<string[]> {
  return await Promise.all(activeSecrets(secrets, atMs).map((sealed) => open(workspaceId, sealed)));
}

/** Opened secrets by their sealed form, which a rotation changes: one KMS call each, not one per attempt. */
const opened = new Recent<string, string>();

async function open(workspaceId: WorkspaceId, sealed: string): Promise<string> {
  const known = opened.get(sealed);
  if (known !== undefined) return known;
  const secret = await unseal(sealed, contextOf(workspaceId));
  opened.set(sealed, secret);
  return secret;
}
