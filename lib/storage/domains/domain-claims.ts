/**
 * Claims on domain names, across workspaces: the global look-up by which sending and receiving find a domain. Several
 * workspaces may claim a name; a claim is verified while the workspace's own DKIM key is published.
 */

import { coveringNames } from '../../core/domains/covering-names.ts';
import type { DomainClaim, ReceivingDomain, SenderDomain } from '../../core/domains/sender-domain.ts';
import type { SendingDomain } from '../../core/domains/sending-domain.ts';
import type { DomainId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { allDone } from '../../core/work/all-done.ts';
import { env } from '../../env.ts';
import { codec, flag, id, nullable, number, object, sortKey, text } from '../table/codec.ts';
import * as keys from '../table/keys.ts';
import { get, getMany } from '../table/reads.ts';
import { type Item, queryAll } from '../table/table.ts';
import {
  type DeletedSpaces,
  findDeletedSpaces,
  findDeletedSpacesOf,
  isDeleted,
  nothingDeleted,
  unlessDeleted,
} from '../workspaces/deleted-spaces.ts';

interface StoredClaim {
  readonly workspaceId: WorkspaceId;
  readonly domainId: DomainId;
  readonly spaceId: SpaceId | null;
  readonly parentId: DomainId | null;
  readonly region: string;
  readonly wildcard: boolean;
  readonly provided: boolean;
  readonly verifiedAt: number | null;
  /** The last check did not find the DKIM record of a verified domain. */
  readonly isMissing: boolean;
  readonly tracking: SendingDomain['tracking'];
}

export const trackingField = object<SendingDomain['tracking']>({ opens: flag, clicks: flag });

const claimCodec = codec<StoredClaim>('domain claim', {
  workspaceId: sortKey(id('wks')),
  domainId: id('dom'),
  spaceId: nullable(id('spc')),
  parentId: nullable(id('dom')),
  region: text,
  wildcard: flag,
  provided: flag,
  verifiedAt: nullable(number),
  isMissing: flag,
  tracking: trackingField,
});

/** The claim item of a domain. */
export function claimItem(workspaceId: WorkspaceId, { id: domainId, name, ...domain }: SendingDomain): Item {
  return {
    ...keys.domainClaimKey(name, workspaceId),
    ...claimCodec.encode({ ...domain, isMissing: domain.missing !== null, workspaceId, domainId }),
  };
}

/** Whether a change of a domain leaves its claim as it is. */
export function hasSameClaim(before: SendingDomain, after: SendingDomain): boolean {
  return (
    after.verifiedAt === before.verifiedAt &&
    (after.missing === null) === (before.missing === null) &&
    after.tracking.opens === before.tracking.opens &&
    after.tracking.clicks === before.tracking.clicks
  );
}

/** The workspace's own claim on exactly this name, or null. */
export async function findClaim(
  workspaceId: WorkspaceId,
  name: string,
): Promise<{ readonly domainId: DomainId; readonly wildcard: boolean } | null> {
  const reading = get(keys.domainClaimKey(name, workspaceId));
  return await unlessDeleted<StoredClaim>(
    workspaceId,
    reading.then((item) => item && claimCodec.decode(item)),
  );
}

/** Every claim on exactly this name. */
export async function listClaims(name: string): Promise<DomainClaim[]> {
  const items = await queryAll(keys.domainClaims(name));
  return items.map((item) => {
    const { workspaceId, domainId, region, verifiedAt, isMissing } = claimCodec.decode(item);
    return { workspaceId, domainId, region, isVerified: verifiedAt !== null, isPublished: !isMissing };
  });
}

/** The keys of a workspace's claims on the names that may cover a host, longest name first. */
export function coveringKeys(workspaceId: WorkspaceId, host: string): keys.Key[] {
  return namesFor(host).map((name) => keys.domainClaimKey(name, workspaceId));
}

/**
 * The domain of an email that was found a moment ago, as `findSenders` finds it: neither its workspace nor its space is deleted.
 * Whether others are is read where one of them has a domain that covers `host`.
 */
export async function findSenderOf(
  workspaceId: WorkspaceId,
  host: string,
  { spaceId }: { readonly spaceId: SpaceId | null },
): Promise<SenderDomain | null> {
  const claims = await getMany(coveringKeys(workspaceId, host));
  const isOfOther = (item: Item | null) => {
    const claimed = item && claimCodec.decode(item).spaceId;
    return claimed !== null && claimed !== spaceId;
  };
  const deleted = claims.some(isOfOther) ? await findDeletedSpaces(workspaceId) : nothingDeleted;
  return senderAmong(host, claims, deleted);
}

/**
 * The longest name of a workspace that covers `host`: the name itself, or a wildcard above it.
 *
 * @param items under `coveringKeys`, null where there is none
 */
export function senderAmong(
  host: string,
  items: readonly (Item | null)[],
  deleted: DeletedSpaces,
): SenderDomain | null {
  const claims = items.map((item) => item && claimCodec.decode(item));
  const kept = claims.map((claim) => (claim && !isDeleted(deleted, claim.spaceId) ? claim : null));
  return coveringDomain(host, namesFor(host), kept);
}

/** Claims by name. */
export type ClaimsByName = ReadonlyMap<string, readonly StoredClaim[]>;

/** Every claim on a name that may cover one of the hosts, those of deleted spaces included. One round trip. */
export async function findCoveringClaims(hosts: readonly string[]): Promise<ClaimsByName> {
  const names = [...new Set(hosts.flatMap(namesFor))];
  const claims = await allDone(names.map((name) => queryAll(keys.domainClaims(name))));
  return new Map(names.map((name, at) => [name, claims[at]?.map(claimCodec.decode) ?? []]));
}

/** The claims without those of deleted spaces; the same map where there are none. One round trip. */
export async function withoutDeletedClaims(claims: ClaimsByName): Promise<ClaimsByName> {
  const all = [...claims.values()].flat();
  const deletedSpaces = await findDeletedSpacesOf([...new Set(all.map(({ workspaceId }) => workspaceId))]);
  const isKept = ({ workspaceId, spaceId }: StoredClaim) =>
    !isDeleted(deletedSpaces.get(workspaceId) ?? nothingDeleted, spaceId);
  if (all.every(isKept)) return claims;
  return new Map([...claims].map(([name, list]) => [name, list.filter(isKept)]));
}

/** Every workspace that receives mail for a host: verified, by the name itself or a wildcard above it. */
export function receivingAmong(host: string, claims: ClaimsByName): ReceivingDomain[] {
  const names = namesFor(host);
  const found = names.map((name) => claims.get(name) ?? []);
  const workspaces = new Set(found.flat().map(({ workspaceId }) => workspaceId));
  return [...workspaces].flatMap((workspaceId) => {
    const own = found.map((list) => list.find((claim) => claim.workspaceId === workspaceId) ?? null);
    const domain = coveringDomain(host, names, own);
    return domain?.isVerified ? [{ ...domain, workspaceId }] : [];
  });
}

const namesFor = (host: string): string[] => coveringNames(host, env().PROVIDED_DOMAIN);

/** @param claims of one workspace, one for each of `names` */
function coveringDomain(
  host: string,
  names: readonly string[],
  claims: readonly (StoredClaim | null)[],
): SenderDomain | null {
  const claim = claims.find((one, index) => one && (names[index] === host || one.wildcard));
  if (!claim) return null;
  // A subdomain is verified with its wildcard, whose identity SES knows.
  const verified = claims.find((other) => other && other.domainId === claim.parentId) ?? claim;
  const { domainId, spaceId, region, provided, tracking } = claim;
  return {
    domainId,
    spaceId,
    region,
    name: names[claims.indexOf(verified)] ?? '',
    provided,
    isVerified: verified.verifiedAt !== null,
    isPublished: !verified.isMissing,
    tracking,
  };
}
