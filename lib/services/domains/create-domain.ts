/** Creation of a domain: its name, its own DKIM key, and the records to publish (docs/concepts/domains.md). */

import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import { newRsaKeyPair } from '../../adapters/random.ts';
import { seal } from '../../adapters/secrets.ts';
import { parseDomainName } from '../../core/domains/name.ts';
import { expectedRecords } from '../../core/domains/records.ts';
import { isReturnPathOf, isUnder, parentName } from '../../core/domains/reserved.ts';
import type { DkimKey } from '../../core/domains/sender-domain.ts';
import { type DnsRecord, nextCheckAfter, type SendingDomain } from '../../core/domains/sending-domain.ts';
import type { DomainId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { Problem } from '../../core/problems.ts';
import { env } from '../../env.ts';
import { findClaim } from '../../storage/domains/domain-claims.ts';
import { createDomain } from '../../storage/domains/domains.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { getDomain } from './domains.ts';
import { readRegion } from './mail-region.ts';

/** Purpose under which the private keys of domains are sealed. */
export const dkimKeyPurpose = 'dkim-key';

/**
 * Creates a domain. A name one label below a wildcard of the workspace becomes its subdomain, without records.
 *
 * @throws Problem invalid_domain, unknown_region, reserved_domain, reserved_subdomain, domain_taken, not_found,
 *   limit_reached
 */
export async function createSendingDomain(
  workspaceId: WorkspaceId,
  input: NewDomain,
): Promise<SendingDomain> {
  // The wildcard above may be deleted meanwhile.
  return await retryOnConflict(`the wildcard above ${input.name}`, () => create(workspaceId, input));
}

interface NewDomain {
  readonly name: string;
  readonly region: string | undefined;
  readonly spaceId: SpaceId | null;
}

async function create(workspaceId: WorkspaceId, input: NewDomain): Promise<SendingDomain | typeof conflict> {
  const { name, wildcard } = readName(input.name);
  const region = readRegion(input.region);
  const above = await wildcardAbove(workspaceId, name);
  // A wildcard below a wildcard is no subdomain.
  const parent = wildcard ? null : above;
  const at = now();
  const base = {
    id: newId('dom'),
    name,
    wildcard,
    spaceId: input.spaceId,
    provided: false,
    createdAt: at,
    tracking: { opens: false, clicks: false },
    missing: null,
    version: 1,
  } as const;
  if (parent) {
    const subdomain: SendingDomain = {
      ...base,
      region: parent.region,
      parentId: parent.id,
      verifiedAt: null,
      records: [],
      nextCheckAt: null,
    };
    if ((await store(workspaceId, subdomain, null, [])) === 'parent_missing') return conflict;
    return { ...subdomain, verifiedAt: parent.verifiedAt };
  }
  const dkim = await newDkimKey(workspaceId, base.id);
  const nextCheckAt = nextCheckAfter({ verifiedAt: null, createdAt: at }, at);
  const domain: SendingDomain = {
    ...base,
    region,
    parentId: null,
    verifiedAt: null,
    records: pendingRecords({ name, wildcard, region }, dkim),
    nextCheckAt,
  };
  const message = { kind: 'check-domain', v: 1, workspaceId, domainId: domain.id } as const;
  await store(workspaceId, domain, dkim, [{ message, dueAt: nextCheckAt }]);
  return domain;
}

/** @throws Problem domain_taken, not_found (space), limit_reached */
async function store(...domain: Parameters<typeof createDomain>): Promise<'created' | 'parent_missing'> {
  const outcome = await createDomain(...domain);
  switch (outcome) {
    case 'created':
    case 'parent_missing':
      return outcome;
    case 'domain_taken':
      throw new Problem('domain_taken', 'The workspace already has this domain.');
    case 'space_missing':
      throw new Problem('not_found', 'The space does not exist.');
    case 'limit_reached':
      throw new Problem('limit_reached', `A workspace has at most ${limits.domains} domains.`);
  }
}

function readName(text: string): { name: string; wildcard: boolean } {
  const parsed = parseDomainName(text);
  if (!parsed) throw new Problem('invalid_domain', `"${text}" is not a domain name that can be registered.`);
  if (isUnder(env().PROVIDED_DOMAIN, parsed.name)) {
    throw new Problem(
      'reserved_domain',
      `Names under ${env().PROVIDED_DOMAIN} are reserved for provided domains.`,
    );
  }
  return parsed;
}

/** @throws Problem reserved_subdomain */
async function wildcardAbove(workspaceId: WorkspaceId, name: string): Promise<SendingDomain | null> {
  const above = parentName(name);
  if (above === null) return null;
  const claim = await findClaim(workspaceId, above);
  if (!claim?.wildcard) return null;
  if (isReturnPathOf(above, name)) {
    throw new Problem('reserved_subdomain', `${name} is the return path of *.${above}.`);
  }
  return await getDomain(workspaceId, claim.domainId);
}

/** Each workspace and domain has its own selector: several workspaces may claim one name. */
function selectorOf(id: DomainId): string {
  return `${env().BRAND.toLowerCase()}-${id.slice(-12)}`;
}

async function newDkimKey(workspaceId: WorkspaceId, id: DomainId): Promise<DkimKey> {
  // The longest key that SES accepts ("Provide your own DKIM authentication token (BYODKIM) in Amazon SES").
  const { publicKey, privateKey } = await newRsaKeyPair(2048);
  return {
    selector: selectorOf(id),
    publicKey: publicKey.toString('base64'),
    sealedPrivateKey: await seal(privateKey.toString('base64'), { workspaceId, purpose: dkimKeyPurpose }),
  };
}

function pendingRecords(
  domain: { name: string; wildcard: boolean; region: string },
  { selector, publicKey }: DkimKey,
): DnsRecord[] {
  return expectedRecords({ ...domain, selector, publicKeyBase64: publicKey }).map((record) => ({
    ...record,
    id: newId('dns'),
    state: 'pending',
    lastCheckedAt: null,
  }));
}
