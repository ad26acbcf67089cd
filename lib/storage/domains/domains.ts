/** Domains of a workspace, each with its DKIM key and, beside it, its claim on the name. */
import { recordPurposes } from '../../core/domains/records.ts';
import type { DkimKey } from '../../core/domains/sender-domain.ts';
import { type DnsRecord, recordStates, type SendingDomain } from '../../core/domains/sending-domain.ts';
import type { DomainId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import {
  codec,
  type Field,
  flag,
  id,
  list,
  nullable,
  number,
  object,
  oneOf,
  sortKey,
  text,
} from '../table/codec.ts';
import { type Cap, reserveCount, returnCount } from '../table/counters.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listFiltered, listPage } from '../table/paging.ts';
import { get, getMany } from '../table/reads.ts';
import { countAll, queryAll } from '../table/table.ts';
import {
  absent,
  ConditionFailed,
  commit,
  commitIfUnchanged,
  present,
  type Write,
} from '../table/transactions.ts';
import { findKept, unlessDeleted, withoutDeleted } from '../workspaces/deleted-spaces.ts';
import { claimItem, hasSameClaim, trackingField } from './domain-claims.ts';

const recordFields = {
  id: id('dns'),
  purpose: oneOf(recordPurposes),
  name: text,
  value: text,
  ttl: number,
  state: oneOf(recordStates),
  lastCheckedAt: nullable(number),
};
const txtRecord = object<Extract<DnsRecord, { type: 'TXT' }>>({
  ...recordFields,
  type: oneOf(['TXT']),
  priority: { read: () => null, write: () => undefined },
});
const mxRecord = object<Extract<DnsRecord, { type: 'MX' }>>({
  ...recordFields,
  type: oneOf(['MX']),
  priority: number,
});
const dnsRecord: Field<DnsRecord> = {
  read: (stored) => (Object(stored).type === 'MX' ? mxRecord : txtRecord).read(stored),
  write: (record) => (record.type === 'MX' ? mxRecord.write(record) : txtRecord.write(record)),
};
const missingField = nullable(
  object<NonNullable<SendingDomain['missing']>>({ since: number, checks: number }),
);

const domainCodec = codec<SendingDomain>('domain', {
  id: sortKey(id('dom')),
  name: text,
  wildcard: flag,
  region: text,
  spaceId: nullable(id('spc')),
  parentId: nullable(id('dom')),
  provided: flag,
  verifiedAt: nullable(number),
  createdAt: number,
  tracking: trackingField,
  records: list(dnsRecord),
  missing: missingField,
  nextCheckAt: nullable(number),
  version: number,
});

/** Stored in the domain's item; provided domains and subdomains have none. */
const dkimCodec = codec<{ readonly [Name in keyof DkimKey]: string | null }>('domain', {
  selector: nullable(text),
  publicKey: nullable(text),
  sealedPrivateKey: nullable(text),
});
const noDkimKey = { selector: null, publicKey: null, sealedPrivateKey: null };

const idCodec = codec<{ readonly id: DomainId }>('subdomain', { id: sortKey(id('dom')) });

/** The writes that create a domain. `claim` fails where the workspace has the name, `parent` where the wildcard is gone. */
export function domainWrites(workspaceId: WorkspaceId, domain: SendingDomain, dkim: DkimKey | null): Write[] {
  const item = {
    ...keys.domainKey(workspaceId, domain.id),
    ...domainCodec.encode(domain),
    ...dkimCodec.encode(dkim ?? noDkimKey),
  };
  return [
    { as: 'domain', put: item },
    { as: 'claim', put: claimItem(workspaceId, domain), ...absent },
    ...(domain.parentId
      ? [
          { as: 'parent', check: keys.domainKey(workspaceId, domain.parentId) },
          { as: 'subdomain', put: { ...keys.subdomainKey(workspaceId, domain.parentId, domain.id) } },
        ]
      : []),
  ];
}

const capOf = (workspaceId: WorkspaceId): Cap => ({
  kind: 'domains',
  max: limits.domains,
  recount: () => countAll(keys.domains(workspaceId)),
});

/** Stores a new domain with its messages; nothing is written unless the outcome is `created`. */
export async function createDomain(
  workspaceId: WorkspaceId,
  domain: SendingDomain,
  dkim: DkimKey | null,
  messages: readonly OutboxMessage[],
): Promise<'created' | 'domain_taken' | 'space_missing' | 'parent_missing' | 'limit_reached'> {
  const { spaceId } = domain;
  const space: Write[] = spaceId ? [{ as: 'space', check: keys.spaceKey(workspaceId, spaceId) }] : [];
  if (!(await reserveCount(workspaceId, capOf(workspaceId), 1))) return 'limit_reached';
  try {
    await commit(workspaceId, [...domainWrites(workspaceId, domain, dkim), ...space], messages);
    return 'created';
  } catch (error) {
    await returnCount(workspaceId, 'domains', 1);
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.write === 'space') return 'space_missing';
    return error.write === 'parent' ? 'parent_missing' : 'domain_taken';
  }
}

/** A domain of the workspace, or null. */
export async function findDomain(workspaceId: WorkspaceId, id: DomainId): Promise<SendingDomain | null> {
  const reading = get(keys.domainKey(workspaceId, id));
  return await unlessDeleted(
    workspaceId,
    reading.then((item) => item && domainCodec.decode(item)),
  );
}

/** The existing ones of `ids`, by id. */
export async function findDomains(
  workspaceId: WorkspaceId,
  ids: readonly DomainId[],
): Promise<Map<DomainId, SendingDomain>> {
  const domainKeys = ids.map((id) => keys.domainKey(workspaceId, id));
  const kept = await findKept(workspaceId, domainKeys, domainCodec.decode);
  return new Map(kept.map((domain) => [domain.id, domain]));
}

/** The DKIM key of a domain; null where the domain is gone or has none. */
export async function findDkimKey(workspaceId: WorkspaceId, id: DomainId): Promise<DkimKey | null> {
  const item = await get(keys.domainKey(workspaceId, id));
  if (!item) return null;
  const { selector, publicKey, sealedPrivateKey } = dkimCodec.decode(item);
  return selector && publicKey && sealedPrivateKey ? { selector, publicKey, sealedPrivateKey } : null;
}

/** A page of domains, oldest first. @param space undefined: every space; the caller checks that a given one exists */
export async function listDomains(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
  paging: Paging,
): Promise<Page<SendingDomain>> {
  if (space !== undefined) return await listKept(workspaceId, paging, ({ spaceId }) => spaceId === space);
  return await withoutDeleted(workspaceId, (isKept) => listKept(workspaceId, paging, isKept));
}

/** The domains of a space on a page, also of a deleted one, or of the workspace. Reads those of all spaces. */
export async function listDomainsToRemove(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  paging: Paging,
): Promise<Page<SendingDomain>> {
  const isOfSpace = ({ spaceId }: SendingDomain) => spaceId === scope;
  return await listKept(workspaceId, paging, scope === 'workspace' ? null : isOfSpace);
}

async function listKept(
  workspaceId: WorkspaceId,
  paging: Paging,
  isKept: ((domain: SendingDomain) => boolean) | null,
): Promise<Page<SendingDomain>> {
  const input = { pk: keys.domains(workspaceId), order: 'oldest first' as const, ...paging };
  const page = await (isKept
    ? listFiltered(input, (item) => isKept(domainCodec.decode(item)))
    : listPage(input));
  return { items: page.items.map(domainCodec.decode), next: page.next };
}

/**
 * Stores what a check or a request has changed of a domain, with its claim and its messages.
 * False where the domain was changed or deleted meanwhile: nothing was written.
 */
export async function updateDomain(
  workspaceId: WorkspaceId,
  before: SendingDomain,
  after: Omit<SendingDomain, 'version'>,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const { records, verifiedAt, missing, nextCheckAt, tracking } = after;
  const change = {
    records: records.map(dnsRecord.write),
    verifiedAt,
    missing: missing && missingField.write(missing),
    nextCheckAt,
    tracking: trackingField.write(tracking),
    version: before.version + 1,
  };
  return await commitIfUnchanged(
    workspaceId,
    [
      {
        as: 'domain',
        update: keys.domainKey(workspaceId, before.id),
        ...expressionsOf({ set: change }, { equal: { version: before.version } }),
      },
      ...(hasSameClaim(before, { ...after, version: 0 })
        ? []
        : [{ as: 'claim', put: claimItem(workspaceId, { ...after, version: 0 }) }]),
    ],
    messages,
  );
}

/** Deletes a domain with its claim; nothing where it is gone: the workspace may have claimed the name anew. */
export async function deleteDomain(
  workspaceId: WorkspaceId,
  { id, name, parentId }: SendingDomain,
  messages: readonly OutboxMessage[],
): Promise<void> {
  const isDeleted = await commitIfUnchanged(
    workspaceId,
    [
      { as: 'domain', delete: keys.domainKey(workspaceId, id), ...present },
      { as: 'claim', delete: keys.domainClaimKey(name, workspaceId) },
      ...(parentId ? [{ as: 'subdomain', delete: keys.subdomainKey(workspaceId, parentId, id) }] : []),
    ],
    messages,
  );
  if (isDeleted) await returnCount(workspaceId, 'domains', 1);
}

/** The subdomains of a wildcard, those in deleted spaces too. */
export async function listSubdomains(workspaceId: WorkspaceId, wildcard: DomainId): Promise<SendingDomain[]> {
  const entries = await queryAll(keys.subdomains(workspaceId, wildcard));
  const items = await getMany(entries.map((item) => keys.domainKey(workspaceId, idCodec.decode(item).id)));
  return items.flatMap((item) => (item ? [domainCodec.decode(item)] : []));
}

/** The names of the first `max` subdomains of a wildcard. */
export async function listSubdomainNames(
  workspaceId: WorkspaceId,
  wildcard: DomainId,
  max: number,
): Promise<string[]> {
  const pk = keys.subdomains(workspaceId, wildcard);
  const { items } = await listPage({ pk, order: 'oldest first', limit: max, after: null });
  const found = await findDomains(
    workspaceId,
    items.map((item) => idCodec.decode(item).id),
  );
  return [...found.values()].map(({ name }) => name);
}
