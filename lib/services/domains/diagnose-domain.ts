/** Diagnostics of a domain from live DNS (docs/concepts/domains.md#diagnostics). */
import { publicAuthority } from '../../adapters/authoritative-dns.ts';
import { within } from '../../adapters/clock.ts';
import { createLookup, type Lookup } from '../../adapters/dns.ts';
import { diagnose } from '../../core/domains/diagnostics/diagnose.ts';
import type { DiagnosedDomain } from '../../core/domains/diagnostics/domain.ts';
import {
  boundedExchanges,
  boundedTexts,
  emptyAnswers,
  type Query,
  type ZoneAnswers,
} from '../../core/domains/diagnostics/zone.ts';
import type { Finding } from '../../core/domains/findings.ts';
import { isUnder } from '../../core/domains/reserved.ts';
import type { SendingDomain } from '../../core/domains/sending-domain.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { listSubdomainNames } from '../../storage/domains/domains.ts';
import { getDomain } from './domains.ts';
import { findingsOf } from './identity-findings.ts';

const lookupTimeoutMs = 1500;
/** All look-ups together; what is unanswered then counts as failing. */
const totalMs = 8000;
/** An SPF policy may include others to any depth; diagnostics follow `countedMax` of them. */
const queriesMax = 80;
const subdomainsMax = 20;

/**
 * All findings about a domain: what SES refused, and what its DNS records lack. A subdomain of a wildcard has the records
 * of its parent; a provided domain has none.
 *
 * @throws Problem not_found
 */
export async function diagnoseDomain(workspaceId: WorkspaceId, domain: SendingDomain): Promise<Finding[]> {
  if (domain.provided) return [];
  return [...(await examineDomain(workspaceId, domain)).findings];
}

/** What DNS and SES say about a domain. */
export interface Examination {
  /** The domain with the records: for a subdomain, its wildcard. */
  readonly examined: SendingDomain;
  readonly findings: readonly Finding[];
  readonly answers: ZoneAnswers;
}

/** Looks up a domain that has records, or whose wildcard has them. @throws Problem not_found */
export async function examineDomain(workspaceId: WorkspaceId, domain: SendingDomain): Promise<Examination> {
  const diagnosed = domain.parentId ? await getDomain(workspaceId, domain.parentId) : domain;
  const [ofIdentity, subdomains] = await Promise.all([
    findingsOf(diagnosed),
    domain.parentId ? [domain.name] : subdomainsOf(workspaceId, domain),
  ]);
  const { name, wildcard, records } = diagnosed;
  const { findings, answers } = await diagnoseZone({ name, wildcard, records, subdomains });
  return { examined: diagnosed, findings: [...ofIdentity, ...findings], answers };
}

async function subdomainsOf(workspaceId: WorkspaceId, { wildcard, id }: SendingDomain): Promise<string[]> {
  return wildcard ? await listSubdomainNames(workspaceId, id, subdomainsMax) : [];
}

async function diagnoseZone(domain: DiagnosedDomain): Promise<Pick<Examination, 'findings' | 'answers'>> {
  const answers = emptyAnswers();
  const deadline = new AbortController();
  await within(totalMs, () => deadline.abort(), askAll(domain, answers, deadline.signal));
  return { findings: diagnose(domain, answers).findings, answers };
}

/** Asks in rounds: the answers of one may raise the questions of the next. */
async function askAll(domain: DiagnosedDomain, answers: ZoneAnswers, deadline: AbortSignal): Promise<void> {
  const { DNS_SERVERS: servers } = env();
  const ownZone = createLookup({ servers, timeoutMs: lookupTimeoutMs, authority: publicAuthority(servers) });
  // Whether hosts of others were published just now does not matter.
  const otherZones = createLookup({ servers, timeoutMs: lookupTimeoutMs, authority: null });
  for (let asked = 0; asked < queriesMax && !deadline.aborted; ) {
    const round = diagnose(domain, answers).unanswered.slice(0, queriesMax - asked);
    if (round.length === 0) return;
    asked += round.length;
    await Promise.all(
      round.map((query) => ask(isUnder(domain.name, query.name) ? ownZone : otherZones, query, answers)),
    );
  }
}

/** Adds the answer to `answers`. */
async function ask(lookup: Lookup, { type, name }: Query, answers: ZoneAnswers): Promise<void> {
  switch (type) {
    case 'TXT':
      answers.TXT.set(name, boundedTexts(await lookup.txt(name)));
      break;
    case 'MX':
      answers.MX.set(name, boundedExchanges(await lookup.mx(name)));
      break;
    case 'CNAME':
      answers.CNAME.set(name, boundedTexts(await lookup.cname(name)));
      break;
    case 'A':
      answers.A.set(name, boundedTexts(await lookup.a(name)));
      break;
  }
}
