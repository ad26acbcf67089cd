/** Looks a domain's records up in DNS and writes down what was found, for `verify` and for the background alike. */
import { now } from '../../adapters/clock.ts';
import { createLookup, type Lookup } from '../../adapters/dns.ts';
import { recordState } from '../../core/domains/dns-check.ts';
import {
  afterCheck,
  type DnsRecord,
  nextCheckAfter,
  type SendingDomain,
} from '../../core/domains/sending-domain.ts';
import type { DomainId, WorkspaceId } from '../../core/ids.ts';
import type { CheckDomain, OutboxMessage } from '../../core/queue-messages.ts';
import { env } from '../../env.ts';
import { findDomains, findDomainWithKey, getDomain, saveDomain } from '../../storage/domains.ts';
import { newEvent } from '../webhooks/new-event.ts';

/** Two tries within the time that a person waits for an answer. */
const lookupTimeoutMs = 1500;
/** How often a check begins again because the domain changed under it. */
const triesMax = 5;

/** A label that nobody publishes: a wildcard record answers for it, an explicit one does not. */
const wildcardProbe = 'wildcard-probe';

/**
 * Checks a domain now and answers it as it is then. A subdomain of a wildcard is verified with its parent, so the
 * parent is checked; a provided domain has nothing to check.
 *
 * @throws Problem not_found
 */
export async function verifyDomain(workspaceId: WorkspaceId, domain: SendingDomain): Promise<SendingDomain> {
  if (domain.provided) return domain;
  if (domain.parentId) {
    const parent = await verifyDomain(workspaceId, await getDomain(workspaceId, domain.parentId));
    return { ...domain, verifiedAt: parent.verifiedAt };
  }
  return await check(workspaceId, domain, (checked) => ({ nextCheckAt: checked.nextCheckAt, messages: [] }));
}

/** Does what a `check-domain` message asks for, and owes the next one. A domain that is gone ends the chain. */
export async function checkInBackground(message: CheckDomain): Promise<void> {
  const { workspaceId, domainId } = message;
  const found = await findDomainWithKey(workspaceId, domainId);
  if (!found || !isDue(found.domain)) return;
  await check(workspaceId, found.domain, (checked) => {
    // Of messages that came at the same time, one was faster.
    if (!isDue(checked)) return null;
    const nextCheckAt = nextCheckAfter(checked, now());
    return { nextCheckAt, messages: [{ message, dueAt: nextCheckAt }] };
  });
}

/** Clocks of functions differ: a message that seems to be early by less than this is in time. */
const clockToleranceMs = 60_000;

/** A repeated message finds the next check armed already: it must not begin a second chain. */
function isDue({ nextCheckAt }: SendingDomain): boolean {
  return nextCheckAt !== null && nextCheckAt <= now() + clockToleranceMs;
}

/** When the background looks again, and what that owes; null: somebody else has seen to it. */
type Rearm = (
  checked: SendingDomain,
) => { nextCheckAt: number | null; messages: readonly OutboxMessage[] } | null;

async function check(workspaceId: WorkspaceId, before: SendingDomain, rearm: Rearm): Promise<SendingDomain> {
  const records = await lookUp(before.records);
  for (let tries = 1, domain = before; ; tries++) {
    const dkim = records.find(({ purpose }) => purpose === 'DKIM');
    const { event, ...outcome } = afterCheck(domain, dkim?.found ?? 'unknown', now());
    const checked: SendingDomain = {
      ...domain,
      ...outcome,
      records: records.map(({ found, ...record }) => record),
    };
    const armed = rearm(checked);
    if (!armed) return domain;
    const { nextCheckAt, messages } = armed;
    const saved = { ...checked, nextCheckAt };
    if (
      await saveDomain(workspaceId, domain, saved, [...messages, ...messagesFor(workspaceId, saved, event)])
    ) {
      return saved;
    }
    if (tries === triesMax) throw new Error(`the domain ${domain.id} keeps changing`);
    domain = await getDomain(workspaceId, domain.id);
  }
}

type Looked = DnsRecord & { readonly found: 'verified' | 'missing' | 'unknown' };

async function lookUp(records: readonly DnsRecord[]): Promise<Looked[]> {
  const lookup = createLookup({
    servers: env().DNS_SERVERS.split(',').filter(Boolean),
    timeoutMs: lookupTimeoutMs,
  });
  return await Promise.all(records.map((record) => lookUpOne(lookup, record)));
}

async function lookUpOne(lookup: Lookup, record: DnsRecord): Promise<Looked> {
  const name = record.name.replace(/^\*\./, `${wildcardProbe}.`);
  const [txt, mx] = record.type === 'TXT' ? [await lookup.txt(name), null] : [null, await lookup.mx(name)];
  // A server that did not answer says nothing about the record: it keeps its state.
  if ((txt ?? mx)?.status === 'failed') return { ...record, found: 'unknown' };
  const found = recordState(record, { txt: txt?.values ?? [], mx: mx?.values ?? [] });
  return { ...record, found, state: found, lastCheckedAt: now() };
}

function messagesFor(
  workspaceId: WorkspaceId,
  domain: SendingDomain,
  event: 'domain.verified' | 'domain.lost' | null,
): OutboxMessage[] {
  if (!event) return [];
  return [
    {
      message: newEvent(workspaceId, event, now(), { domainId: domain.id }),
    },
    syncIdentityMessage(workspaceId, domain),
  ];
}

/** The work of bringing SES in line with a domain that was verified, lost or deleted. */
export function syncIdentityMessage(workspaceId: WorkspaceId, domain: SendingDomain): OutboxMessage {
  const { id: domainId, region, name } = domain;
  return { message: { kind: 'sync-identity', v: 1, workspaceId, domainId, region, name, polls: 0 } };
}

/** Domains as they are shown: a subdomain is verified since its wildcard is. */
export async function withParentVerification(
  workspaceId: WorkspaceId,
  domains: readonly SendingDomain[],
): Promise<SendingDomain[]> {
  const ids = [...new Set(domains.flatMap(({ parentId }) => parentId ?? []))];
  const parents = await findDomains(workspaceId, ids);
  return domains.map((domain) =>
    domain.parentId ? { ...domain, verifiedAt: parents.get(domain.parentId)?.verifiedAt ?? null } : domain,
  );
}

/** A domain as it is shown. @throws Problem not_found */
export async function getDomainWithParent(workspaceId: WorkspaceId, id: DomainId): Promise<SendingDomain> {
  const domain = await getDomain(workspaceId, id);
  const [shown] = await withParentVerification(workspaceId, [domain]);
  return shown ?? domain;
}
