/**
 * Synchronisation of SES identities. One identity serves every workspace that claims a name; it carries the DKIM key of a
 * workspace whose record is published, and is deleted when there is none. SES allows one management call a second
 * ("Service quotas in Amazon SES"): domains that it does not know get turns, and whatever goes wrong with one is tried
 * again by a message of its own.
 */

import { now } from '../../adapters/clock.ts';
import { random } from '../../adapters/random.ts';
import { unseal } from '../../adapters/secrets.ts';
import { deleteIdentityAtSes, installKey, isIdentityVerified } from '../../adapters/ses-identities.ts';
import { ManagementBusy, ManagementRefused } from '../../adapters/ses-management.ts';
import { pollWaitMs } from '../../core/domains/identity-polls.ts';
import { returnPathName } from '../../core/domains/reserved.ts';
import type { DomainClaim, IdentityFindingId, SesIdentity } from '../../core/domains/sender-domain.ts';
import type { SyncIdentity } from '../../core/queue-messages.ts';
import { allDone } from '../../core/work/all-done.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { listClaims } from '../../storage/domains/domain-claims.ts';
import { findDkimKey, findDomain } from '../../storage/domains/domains.ts';
import { deleteIdentity, findIdentity, putIdentity } from '../../storage/domains/identities.ts';
import { removeSetupTurn } from '../../storage/domains/setup-lines.ts';
import { commit } from '../../storage/table/transactions.ts';
import { verifyDomain } from './check-domain.ts';
import { dkimKeyPurpose } from './create-domain.ts';
import { isTurnOf, pollWaitMin } from './setup-turns.ts';
import { releaseIdentity } from './tenants.ts';

/** Processes a `sync-identity` message. Idempotent. */
export async function syncIdentity(message: SyncIdentity): Promise<void> {
  const { region, workspaceId } = message;
  try {
    if (await isSynced(message)) return;
  } catch (error) {
    if (error instanceof ManagementRefused) return await fail(message, 'identity_refused', error.message);
    if (!(error instanceof ManagementBusy)) {
      logEvent('identity.sync_failed', { region, workspace_id: workspaceId, error: describeError(error) });
    }
  }
  await pollAgain(message);
}

/** Takes the next step; true once SES matches the claims. */
async function isSynced(message: SyncIdentity): Promise<boolean> {
  const { region, name, polls } = message;
  if (polls === 0) await checkSharedName(region, name);
  const [claims, installed] = await Promise.all([publishedClaims(region, name), findIdentity(region, name)]);
  const [first] = claims;
  if (!first) {
    if (installed) {
      await releaseIdentity(region, name);
      await deleteIdentityAtSes(region, name);
    }
    await Promise.all([deleteIdentity(region, name), removeSetupTurn(region, name)]);
    // Another workspace may have claimed the name meanwhile, and its message may have found the identity.
    return (await verifiedClaims(region, name)).length === 0;
  }
  const keepsKey = claims.some(({ domainId }) => domainId === installed?.domainId);
  // The first message after a failure retries: a person requested it, or the domain was verified again.
  const isRetry = installed?.failure && polls === 0;
  if (installed && keepsKey && !isRetry) {
    return installed.failure ? true : await confirm(region, name, installed);
  }
  // A domain that has to wait comes again.
  return !(await isTurnOf(message)) || (await install(region, name, first));
}

async function verifiedClaims(region: string, name: string): Promise<DomainClaim[]> {
  return (await listClaims(name)).filter((claim) => claim.region === region && claim.isVerified);
}

/** Claims of one name whose records are looked up. */
const checkedMax = 10;

/** Of several workspaces with a verified domain of this name, the record of one may have replaced that of another. */
async function checkSharedName(region: string, name: string): Promise<void> {
  const claims = await verifiedClaims(region, name);
  if (claims.length < 2) return;
  await allDone(
    claims.slice(0, checkedMax).map(async ({ workspaceId, domainId }) => {
      const domain = await findDomain(workspaceId, domainId);
      if (domain) await verifyDomain(workspaceId, domain);
    }),
  );
}

/** The verified claims whose record was found by the last check; all verified ones where none was. */
async function publishedClaims(region: string, name: string): Promise<DomainClaim[]> {
  const claims = await verifiedClaims(region, name);
  const published = claims.filter(({ isPublished }) => isPublished);
  return published.length > 0 ? published : claims;
}

/** Installs the key of a claim. It is recorded after the call: after a crash in between it is installed again. */
async function install(
  region: string,
  name: string,
  { workspaceId, domainId }: Pick<SesIdentity, 'workspaceId' | 'domainId'>,
): Promise<boolean> {
  const dkim = await findDkimKey(workspaceId, domainId);
  // The domain was deleted meanwhile; its deletion has a message of its own.
  if (!dkim) return true;
  const context = { workspaceId, purpose: dkimKeyPurpose } as const;
  const privateKey = await unseal(dkim.sealedPrivateKey, context);
  await installKey(region, name, { selector: dkim.selector, privateKey }, returnPathName(name));
  const identity: SesIdentity = { workspaceId, domainId, ready: false, failure: null };
  await putIdentity(region, name, identity);
  return await confirm(region, name, identity);
}

/** Asks SES whether it has found the record as well; usually minutes after our own lookup. */
async function confirm(region: string, name: string, identity: SesIdentity): Promise<boolean> {
  if (identity.ready) return true;
  const isVerified = await isIdentityVerified(region, name);
  if (isVerified === null) {
    // Deleted at SES by somebody else: the next message installs it again.
    await deleteIdentity(region, name);
    return false;
  }
  if (isVerified) {
    await putIdentity(region, name, { ...identity, ready: true });
    await removeSetupTurn(region, name);
  }
  return isVerified;
}

const notVerified = 'Amazon SES looked for the record for 72 hours.';

/** Schedules the next poll; after the last one the domain gets a finding. */
async function pollAgain(message: SyncIdentity): Promise<void> {
  const waitMs = pollWaitMs(message.polls);
  if (waitMs === null) return await fail(message, 'identity_not_verified', notVerified);
  const nextPoll = { ...message, polls: message.polls + 1 };
  const leastMs = await pollWaitMin(message.region, message.name);
  // Spread: domains that were added together are not polled together for days.
  const dueAt = now() + Math.max(waitMs, leastMs) * (1 + random() / 10);
  await commit(message.workspaceId, [], [{ message: nextPoll, dueAt }]);
}

/** Ends the synchronisation with a finding on the domains that claim the name. */
async function fail(
  { region, name, workspaceId }: SyncIdentity,
  id: IdentityFindingId,
  detail: string,
): Promise<void> {
  const [claims, installed] = await Promise.all([verifiedClaims(region, name), findIdentity(region, name)]);
  const [first] = claims;
  if (!first || installed?.ready) return;
  const { workspaceId: owner, domainId } = installed ?? first;
  const failure = { id, detail, at: now() };
  await putIdentity(region, name, { workspaceId: owner, domainId, ready: false, failure });
  await removeSetupTurn(region, name);
  logEvent('identity.failed', { region, workspace_id: workspaceId, cause: id, reason: detail });
}
