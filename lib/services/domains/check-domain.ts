/** DNS checks of a domain, for `verify` and for the background alike (docs/concepts/domains.md#verification). */
import { publicAuthority } from '../../adapters/authoritative-dns.ts';
import { now } from '../../adapters/clock.ts';
import { createLookup, type Lookup } from '../../adapters/dns.ts';
import { recordState } from '../../core/domains/dns-check.ts';
import { queriedName } from '../../core/domains/records.ts';
import {
  afterCheck,
  type DnsRecord,
  nextCheckAfter,
  type SendingDomain,
} from '../../core/domains/sending-domain.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { CheckDomain, OutboxMessage } from '../../core/queue-messages.ts';
import { env } from '../../env.ts';
import { findDomain, updateDomain } from '../../storage/domains/domains.ts';
import { newEvent } from '../events/new-event.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { deleteSubdomains, getDomain } from './domains.ts';
import { syncIdentityMessage } from './sync-identity-message.ts';

/** Two tries fit into the time that a person waits for a response. */
const lookupTimeoutMs = 1500;

/**
 * Checks a domain now and returns it as checked. A subdomain of a wildcard is verified with its parent, so the parent is
 * checked; a provided domain has nothing to check.
 *
 * @throws Problem not_found
 */
export async function verifyDomain(workspaceId: WorkspaceId, domain: SendingDomain): Promise<SendingDomain> {
  if (domain.provided) return domain;
  if (domain.parentId) {
    const parent = await verifyDomain(workspaceId, await getDomain(workspaceId, domain.parentId));
    return { ...domain, verifiedAt: parent.verifiedAt };
  }
  return await check(workspaceId, domain, ({ nextCheckAt }) => ({ nextCheckAt, messages: [] }));
}

/** Processes a `check-domain` message and schedules the next one. The chain ends with the domain. */
export async function checkInBackground(message: CheckDomain): Promise<void> {
  const { workspaceId, domainId } = message;
  const domain = await findDomain(workspaceId, domainId);
  if (!domain) return await deleteSubdomains(workspaceId, domainId);
  if (!isDue(domain)) return;
  await check(workspaceId, domain, (checked) => {
    // Another message did this check.
    if (!isDue(checked)) return null;
    const nextCheckAt = nextCheckAfter(checked, now());
    return { nextCheckAt, messages: [{ message, dueAt: nextCheckAt }] };
  });
}

/** Clocks of functions differ: a message that is early by less than this is due. */
const clockToleranceMs = 60_000;

/** After a check the next one is in the future, so that a repeated message starts no second chain. */
function isDue({ nextCheckAt }: SendingDomain): boolean {
  return nextCheckAt !== null && nextCheckAt <= now() + clockToleranceMs;
}

/** The next background check and its message; null where another worker has scheduled it. */
type NextCheck = (
  checked: SendingDomain,
) => { readonly nextCheckAt: number | null; readonly messages: readonly OutboxMessage[] } | null;

async function check(
  workspaceId: WorkspaceId,
  before: SendingDomain,
  nextCheck: NextCheck,
): Promise<SendingDomain> {
  const records = await lookUpRecords(before.records);
  const dkim = records.find(({ purpose }) => purpose === 'DKIM');
  let domain = before;
  return await retryOnConflict(`domain ${before.id}`, async () => {
    const { event, ...outcome } = afterCheck(domain, dkim?.found ?? 'unknown', now());
    const checked: SendingDomain = {
      ...domain,
      ...outcome,
      records: records.map(({ found: _, ...record }) => record),
    };
    const next = nextCheck(checked);
    if (!next) return domain;
    const saved = { ...checked, nextCheckAt: next.nextCheckAt };
    const messages = [...next.messages, ...messagesFor(workspaceId, domain, saved, event)];
    if (await updateDomain(workspaceId, domain, saved, messages)) return saved;
    domain = await getDomain(workspaceId, domain.id);
    return conflict;
  });
}

type CheckedRecord = DnsRecord & { readonly found: 'verified' | 'missing' | 'unknown' };

async function lookUpRecords(records: readonly DnsRecord[]): Promise<CheckedRecord[]> {
  const { DNS_SERVERS: servers } = env();
  const lookup = createLookup({ servers, timeoutMs: lookupTimeoutMs, authority: publicAuthority(servers) });
  return await Promise.all(records.map((record) => lookUpRecord(lookup, record)));
}

async function lookUpRecord(lookup: Lookup, record: DnsRecord): Promise<CheckedRecord> {
  const name = queriedName(record);
  const [txt, mx] = record.type === 'TXT' ? [await lookup.txt(name), null] : [null, await lookup.mx(name)];
  // Without an answer the record keeps its state.
  if ((txt ?? mx)?.status === 'failed') return { ...record, found: 'unknown' };
  const found = recordState(record, { txt: txt?.values ?? [], mx: mx?.values ?? [] });
  return { ...record, found, state: found, lastCheckedAt: now() };
}

function messagesFor(
  workspaceId: WorkspaceId,
  before: SendingDomain,
  domain: SendingDomain,
  event: 'domain.verified' | 'domain.lost' | null,
): OutboxMessage[] {
  // Another workspace's key may be published instead.
  const isNewlyMissing = before.missing === null && domain.missing !== null;
  if (!event) return isNewlyMissing ? [syncIdentityMessage(workspaceId, domain)] : [];
  return [
    { message: newEvent(workspaceId, event, now(), { domainId: domain.id }) },
    syncIdentityMessage(workspaceId, domain),
  ];
}
