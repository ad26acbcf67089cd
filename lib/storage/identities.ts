/** SES identities, one per name and region for all workspaces: whose DKIM key each carries, and whether SES is content. */

import type { DomainId, WorkspaceId } from '../core/ids.ts';
import type { VerifiedSender } from './domains.ts';
import { identityKey } from './keys.ts';
import { get, type Item, put, remove } from './table.ts';

export interface Identity {
  readonly workspaceId: WorkspaceId;
  readonly domainId: DomainId;
  /** SES has verified the identity with this key. */
  readonly ready: boolean;
}

/** What is known of the identity of a name; null where there is none. */
export async function findIdentity(region: string, name: string): Promise<Identity | null> {
  const item = await get(identityKey(region, name));
  return item && identity(item);
}

function identity(item: Item): Identity {
  return {
    workspaceId: item.workspaceId as WorkspaceId,
    domainId: item.domainId as DomainId,
    ready: item.ready as boolean,
  };
}

/** Whether SES takes mail of this sender now. The provided domain's identity is part of the deployment. */
export async function isIdentityReady(sender: VerifiedSender): Promise<boolean> {
  if (sender.provided) return true;
  return (await findIdentity(sender.region, sender.name))?.ready ?? false;
}

/** Notes the state of an identity. Only the one serialised worker writes it. */
export async function putIdentity(region: string, name: string, state: Identity): Promise<void> {
  await put({ ...identityKey(region, name), ...state });
}

/** Forgets an identity that was deleted at SES. */
export async function deleteIdentity(region: string, name: string): Promise<void> {
  await remove(identityKey(region, name));
}
