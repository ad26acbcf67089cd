/**
 * Domains, and who holds a name. Several workspaces may hold one name, each with its own DKIM key; the claim item
 * of each says whether its key is published, and only then does it send and receive.
 */
import type { DnsRecord, SendingDomain } from '../core/domains/sending-domain.ts';
import type { DomainId, SpaceId, WorkspaceId } from '../core/ids.ts';
import { Problem } from '../core/problems.ts';
import type { OutboxMessage } from '../core/queue-messages.ts';
import { env } from '../env.ts';
import * as keys from './keys.ts';
import { enqueue } from './outbox.ts';
import { listFiltered, listPage, type Page } from './paging.ts';
import {
  absent,
  ConditionFailed,
  get,
  getMany,
  type Item,
  ifUnchanged,
  queryAll,
  transact,
  type Write,
} from './table.ts';

/** The key pair of a domain: the public part is in its DNS record, the private part is sealed. */
export interface DkimKey {
  readonly selector: string;
  readonly publicKey: string;
  readonly sealedPrivateKey: string;
}

function domain(item: Item): SendingDomain {
  return {
    id: item.sk as DomainId,
    name: item.name as string,
    wildcard: item.wildcard as boolean,
    region: item.region as string,
    spaceId: (item.spaceId as SpaceId | null | undefined) ?? null,
    parentId: (item.parentId as DomainId | null | undefined) ?? null,
    provided: item.provided as boolean,
    verifiedAt: (item.verifiedAt as number | null | undefined) ?? null,
    createdAt: item.createdAt as number,
    tracking: item.tracking as SendingDomain['tracking'],
    records: item.records as DnsRecord[],
    missing: (item.missing as SendingDomain['missing'] | undefined) ?? null,
    nextCheckAt: (item.nextCheckAt as number | null | undefined) ?? null,
    version: item.version as number,
  };
}

function writesOf(workspaceId: WorkspaceId, of: SendingDomain, dkim: DkimKey | null): Write[] {
  const { id, ...attributes } = of;
  return [
    { as: 'domain', put: { ...keys.domainKey(workspaceId, id), ...attributes, ...dkim } },
    { as: 'claim', put: claimItem(workspaceId, of), ...absent },
    ...(of.parentId
      ? [{ as: 'subdomain', put: { ...keys.subdomainKey(workspaceId, of.parentId, id) } } as const]
      : []),
  ];
}

/** What sending and receiving need of a domain, found by name. */
function claimItem(workspaceId: WorkspaceId, of: SendingDomain): Item {
  return {
    ...keys.domainClaimKey(of.name, workspaceId),
    domainId: of.id,
    spaceId: of.spaceId,
    parentId: of.parentId,
    region: of.region,
    wildcard: of.wildcard,
    provided: of.provided,
    verifiedAt: of.verifiedAt,
    tracking: of.tracking,
  };
}

/** The writes that give a new workspace its provided domain: verified, without records. */
export function providedDomainWrites(
  workspaceId: WorkspaceId,
  id: DomainId,
  name: string,
  atMs: number,
): Write[] {
  const provided: SendingDomain = {
    id,
    name,
    wildcard: false,
    region: env().DEFAULT_REGION,
    spaceId: null,
    parentId: null,
    provided: true,
    verifiedAt: atMs,
    createdAt: atMs,
    tracking: { opens: false, clicks: false },
    records: [],
    missing: null,
    nextCheckAt: null,
    version: 1,
  };
  return writesOf(workspaceId, provided, null);
}

const notFound = () => new Problem('not_found', 'There is no such domain.');

/**
 * Stores a new domain and what it owes.
 *
 * @throws Problem domain_taken, not_found (no such space)
 */
export async function createDomain(
  workspaceId: WorkspaceId,
  created: SendingDomain,
  dkim: DkimKey | null,
  messages: readonly OutboxMessage[],
): Promise<void> {
  try {
    await transact([
      ...writesOf(workspaceId, created, dkim),
      ...(created.spaceId
        ? [{ as: 'space', check: keys.spaceKey(workspaceId, created.spaceId) } as const]
        : []),
      ...enqueue(workspaceId, messages),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.write === 'space') throw new Problem('not_found', 'There is no such space.', { cause: error });
    throw new Problem('domain_taken', 'The workspace already has this domain.', { cause: error });
  }
}

/** A domain of the workspace. @throws Problem not_found */
export async function getDomain(workspaceId: WorkspaceId, id: DomainId): Promise<SendingDomain> {
  const item = await get(keys.domainKey(workspaceId, id));
  if (!item) throw notFound();
  return domain(item);
}

/** Those of the domains that are there, by id. */
export async function findDomains(
  workspaceId: WorkspaceId,
  ids: readonly DomainId[],
): Promise<Map<DomainId, SendingDomain>> {
  const items = await getMany(ids.map((id) => keys.domainKey(workspaceId, id)));
  return new Map(items.flatMap((item) => (item ? [[item.sk as DomainId, domain(item)] as const] : [])));
}

/** A domain with its key, for the worker that hands the key to SES; null where the domain is gone. */
export async function findDomainWithKey(
  workspaceId: WorkspaceId,
  id: DomainId,
): Promise<{ domain: SendingDomain; dkim: DkimKey | null } | null> {
  const item = await get(keys.domainKey(workspaceId, id));
  if (!item) return null;
  const { selector, publicKey, sealedPrivateKey } = item as Partial<Record<keyof DkimKey, string>>;
  const dkim = selector && publicKey && sealedPrivateKey ? { selector, publicKey, sealedPrivateKey } : null;
  return { domain: domain(item), dkim };
}

/** A page of domains, oldest first. `space` undefined: every space. */
export async function listDomains(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
  paging: { limit: number; after: string | null },
): Promise<Page<SendingDomain>> {
  const input = { pk: keys.domains(workspaceId), order: 'oldest first' as const, ...paging };
  const page =
    space === undefined
      ? await listPage(input)
      : await listFiltered(input, (item) => (item.spaceId ?? null) === space);
  return { items: page.items.map(domain), next: page.next };
}

/**
 * Writes a domain as a check has found it, with its claim, and what that owes.
 * False where the domain changed or went meanwhile: nothing was written.
 */
export async function saveDomain(
  workspaceId: WorkspaceId,
  before: SendingDomain,
  after: Omit<SendingDomain, 'version'>,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const saved: SendingDomain = { ...after, version: before.version + 1 };
  return await ifUnchanged([
    {
      as: 'domain',
      update: keys.domainKey(workspaceId, before.id),
      UpdateExpression:
        'SET records = :records, verifiedAt = :verifiedAt, #missing = :missing, ' +
        'nextCheckAt = :nextCheckAt, tracking = :tracking, version = :version',
      ConditionExpression: 'version = :before',
      ExpressionAttributeNames: { '#missing': 'missing' },
      ExpressionAttributeValues: {
        ':records': saved.records,
        ':verifiedAt': saved.verifiedAt,
        ':missing': saved.missing,
        ':nextCheckAt': saved.nextCheckAt,
        ':tracking': saved.tracking,
        ':version': saved.version,
        ':before': before.version,
      },
    },
    ...(isClaimedAlike(saved, before) ? [] : [{ as: 'claim', put: claimItem(workspaceId, saved) }]),
    ...enqueue(workspaceId, messages),
  ]);
}

/** Whether the claim of a domain says after a change what it said before. */
function isClaimedAlike(after: SendingDomain, before: SendingDomain): boolean {
  return (
    after.verifiedAt === before.verifiedAt &&
    after.tracking.opens === before.tracking.opens &&
    after.tracking.clicks === before.tracking.clicks
  );
}

/** Deletes a domain with the subdomains of a wildcard. @throws Problem not_found, domain_provided */
export async function deleteDomain(
  workspaceId: WorkspaceId,
  id: DomainId,
  messagesFor: (deleted: SendingDomain) => readonly OutboxMessage[],
): Promise<void> {
  const deleted = await getDomain(workspaceId, id);
  if (deleted.provided) {
    throw new Problem('domain_provided', 'The provided domain of a workspace cannot be deleted.');
  }
  const children = deleted.wildcard ? await subdomains(workspaceId, id) : [];
  // Each by itself: a wildcard may have more subdomains than a transaction has room for. The parent goes last.
  for (const one of [...children, deleted]) {
    await transact([
      { as: 'domain', delete: keys.domainKey(workspaceId, one.id) },
      { as: 'claim', delete: keys.domainClaimKey(one.name, workspaceId) },
      ...(one.parentId
        ? [{ as: 'subdomain', delete: keys.subdomainKey(workspaceId, one.parentId, one.id) } as const]
        : []),
      ...enqueue(workspaceId, messagesFor(one)),
    ]);
  }
}

async function subdomains(workspaceId: WorkspaceId, wildcard: DomainId): Promise<SendingDomain[]> {
  const items = await queryAll(keys.subdomains(workspaceId, wildcard));
  const found = await findDomains(
    workspaceId,
    items.map(({ sk }) => sk as DomainId),
  );
  return [...found.values()];
}

/** The workspace's own claim on exactly this name, or null. */
export async function findClaim(
  workspaceId: WorkspaceId,
  name: string,
): Promise<{ domainId: DomainId; wildcard: boolean } | null> {
  const item = await get(keys.domainClaimKey(name, workspaceId));
  return item && { domainId: item.domainId as DomainId, wildcard: item.wildcard as boolean };
}

/** A domain of the workspace that holds an address. */
export interface VerifiedSender {
  readonly domainId: DomainId;
  readonly spaceId: SpaceId | null;
  readonly region: string;
  /** The name that SES knows: the domain's own, or the wildcard's. */
  readonly name: string;
  readonly provided: boolean;
  readonly isVerified: boolean;
  /** What the domain tracks of the mail sent from it. */
  readonly tracking: SendingDomain['tracking'];
}

/** A name with all names above it, longest first: `a.b.c` gives `a.b.c`, `b.c`. */
function namesAbove(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}

/** The longest name of the workspace that covers `host`: the name itself, or a wildcard above it. One round trip. */
export async function findSender(workspaceId: WorkspaceId, host: string): Promise<VerifiedSender | null> {
  const names = namesAbove(host);
  const claims = await getMany(names.map((name) => keys.domainClaimKey(name, workspaceId)));
  for (const [at, claim] of claims.entries()) {
    if (claim && (names[at] === host || claim.wildcard)) return senderOf(claim, names, claims);
  }
  return null;
}

function senderOf(claim: Item, names: readonly string[], claims: readonly (Item | null)[]): VerifiedSender {
  // A subdomain is verified with its wildcard.
  const parent = claims.find((other) => other && other.domainId === claim.parentId);
  const verified = parent ?? claim;
  return {
    domainId: claim.domainId as DomainId,
    spaceId: (claim.spaceId as SpaceId | null | undefined) ?? null,
    region: claim.region as string,
    name: names[claims.indexOf(verified)] ?? '',
    provided: claim.provided as boolean,
    isVerified: Boolean(verified.verifiedAt),
    tracking: claim.tracking as SendingDomain['tracking'],
  };
}

/** Someone who receives mail for a name. */
export interface DomainHolder extends VerifiedSender {
  readonly workspaceId: WorkspaceId;
}

/** Every workspace that receives mail for `host`: verified, by the name itself or a wildcard above it. */
export async function findHolders(host: string): Promise<DomainHolder[]> {
  const names = namesAbove(host);
  const found = await Promise.all(names.map((name) => queryAll(keys.domainClaims(name))));
  const holders = new Map<WorkspaceId, DomainHolder>();
  const workspaces = new Set(found.flat().map((claim) => claim.sk as WorkspaceId));
  for (const workspaceId of workspaces) {
    const claims = found.map((items) => items.find((item) => item.sk === workspaceId) ?? null);
    const at = claims.findIndex((claim, index) => claim && (names[index] === host || claim.wildcard));
    const claim = claims[at];
    if (!claim) continue;
    const sender = senderOf(claim, names, claims);
    if (sender.isVerified) holders.set(workspaceId, { ...sender, workspaceId });
  }
  return [...holders.values()];
}

/** Every workspace that holds exactly this name, with whether its key is published. */
export async function listClaims(
  name: string,
): Promise<{ workspaceId: WorkspaceId; domainId: DomainId; region: string; isVerified: boolean }[]> {
  const items = await queryAll(keys.domainClaims(name));
  return items.map((item) => ({
    workspaceId: item.sk as WorkspaceId,
    domainId: item.domainId as DomainId,
    region: item.region as string,
    isVerified: Boolean(item.verifiedAt),
  }));
}
