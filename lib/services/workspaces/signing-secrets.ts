/**
 * The secrets of a workspace that sign links and cursors. They are stored sealed; what signs with them opens them once in
 * the life of a function.
 */
import { newToken } from '../../adapters/ids.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { Recent } from '../../core/recent.ts';

export type SigningPurpose = 'link-secret' | 'cursor-secret';

/** Marks a sealed secret. Version 0.1.0 stored secrets as plaintext, in the alphabet of base64url. */
const sealedMark = 'sealed:';

/** A new secret, sealed for its workspace and purpose. */
export async function newSigningSecret(workspaceId: WorkspaceId, purpose: SigningPurpose): Promise<string> {
  return await sealSigningSecret(workspaceId, purpose, newToken(32));
}

/** Seals a secret of version 0.1.0. A sealed one stays as it is. */
export async function sealSigningSecret(
  workspaceId: WorkspaceId,
  purpose: SigningPurpose,
  stored: string,
): Promise<string> {
  if (stored.startsWith(sealedMark)) return stored;
  // Loaded where it is needed: authentication imports this file in every operation.
  const { seal } = await import('../../adapters/secrets.ts');
  return `${sealedMark}${await seal(stored, { workspaceId, purpose })}`;
}

/** Opened secrets by their sealed form: one KMS call each, not one per link. */
const opened = new Recent<string, Promise<string>>();

/** The plaintext of a stored secret. @throws where it was sealed for another workspace or purpose */
export async function openSigningSecret(
  workspaceId: WorkspaceId,
  purpose: SigningPurpose,
  stored: string,
): Promise<string> {
  if (!stored.startsWith(sealedMark)) return stored;
  const name = `${workspaceId} ${purpose} ${stored}`;
  const known = opened.get(name) ?? unsealed(workspaceId, purpose, stored);
  opened.set(name, known);
  // A failed call is repeated by the next one.
  known.catch(() => opened.delete(name));
  return await known;
}

async function unsealed(workspaceId: WorkspaceId, purpose: SigningPurpose, stored: string): Promise<string> {
  const { unseal } = await import('../../adapters/secrets.ts');
  return await unseal(stored.slice(sealedMark.length), { workspaceId, purpose });
}
