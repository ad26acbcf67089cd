/** SES identities, one per name and region for all workspaces: whose DKIM key each carries, and whether SES has verified it. */
import type { SenderDomain, SesIdentity } from '../core/domains/sender-domain.ts';
import { codec, flag, id } from './codec.ts';
import { identityKey } from './keys.ts';
import { get, put, remove } from './table.ts';

const identityCodec = codec<SesIdentity>('SES identity', {
  workspaceId: id('wks'),
  domainId: id('dom'),
  ready: flag,
});

/** The identity of a name, or null. */
export async function findIdentity(region: string, name: string): Promise<SesIdentity | null> {
  const item = await get(identityKey(region, name));
  return item && identityCodec.decode(item);
}

/** Whether SES accepts mail of this domain. The provided domain's identity is part of the deployment. */
export async function isIdentityReady({ provided, region, name }: SenderDomain): Promise<boolean> {
  return provided || ((await findIdentity(region, name))?.ready ?? false);
}

/** Stores the state of an identity. Only the serialised worker `sync-identity` writes it. */
export async function putIdentity(region: string, name: string, identity: SesIdentity): Promise<void> {
  await put({ ...identityKey(region, name), ...identityCodec.encode(identity) });
}

/** Deletes the record of an identity that was deleted at SES. */
export async function deleteIdentity(region: string, name: string): Promise<void> {
  await remove(identityKey(region, name));
}
