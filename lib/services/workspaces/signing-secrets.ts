/**
 * The secrets of a workspace that sign links and cursors. They are stored sealed; what signs with them opens them once in
 * the life of a function.
 */
import { newToken } from '../../adapters/ids.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { Recent } from '../../core/work/recent.ts';

export type SigningPurpose = 'link-secret' | 'cursor-secret';

/** A new secret, sealed for its workspace and purpose. */
export async function newSigningSecret(workspaceId: WorkspaceId, purpose: SigningPurpose): Promise<string> {
  // Loaded where it is needed: authentication imports this file in every operation.
  const { seal } = await import('../../adapters/secrets.ts');
  return await seal(newToken(32), { workspaceId, purpose });
}

/** Opened secrets by their sealed form: one KMS call each, not one per link. */
const opened = new Recent<string, Promise<string>>();

/** The plaintext of a stored secret. @throws where it was sealed for another workspace or purpose */
export async function openSigningSecret(
  workspaceId: WorkspaceId,
  purpose: SigningPurpose,
  stored: string,
): Promise<string> {
  const name = `${workspaceId} ${purpose} ${stored}`;
  const known = opened.get(name) ?? unsealed(workspaceId, purpose, stored);
  opened.set(name, known);
  // A failed call is repeated by the next one.
  known.catch(() => opened.delete(name));
  return await known;
}

async function unsealed(workspaceId: WorkspaceId, purpose: SigningPurpose, stored: string): Promise<string> {
  const { unseal } = await import('../../adapters/secrets.ts');
  return await unseal(stored, { workspaceId, purpose });
}
