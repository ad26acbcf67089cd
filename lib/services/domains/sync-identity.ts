/**
 * Synchronisation of SES identities. One identity serves every workspace that claims a name; it carries the DKIM key of a
 * workspace whose record is published, and is deleted when there is none. One serialised queue per region does this: SES
 * allows one management call a second ("Service quotas in Amazon SES").
 */
import { now } from '../../adapters/clock.ts';
import { unseal } from '../../adapters/secrets.ts';
import {
  deleteIdentityAtSes,
  IdentitiesBusy,
  installKey,
  isIdentityVerified,
} from '../../adapters/ses-identities.ts';
import { returnPathName } from '../../core/domains/reserved.ts';
import type { SesIdentity } from '../../core/domains/sender-domain.ts';
import type { SyncIdentity } from '../../core/queue-messages.ts';
import { listClaims } from '../../storage/domain-claims.ts';
import { findDkimKey } from '../../storage/domains.ts';
import { deleteIdentity, findIdentity, putIdentity } from '../../storage/identities.ts';
import { commit } from '../../storage/transactions.ts';
import { dkimKeyPurpose } from './create-domain.ts';

const firstWaitMs = 5000;
const longestWaitMs = 15 * 60_000;

/** Processes a `sync-identity` message. Idempotent. */
export async function syncIdentity(message: SyncIdentity): Promise<void> {
  try {
    if (!(await isSynced(message))) await pollAgain(message);
  } catch (error) {
    if (!(error instanceof IdentitiesBusy)) throw error;
    await pollAgain(message);
  }
}

/** Takes the next step; true once SES matches the claims. */
async function isSynced({ region, name }: SyncIdentity): Promise<boolean> {
  const claims = (await listClaims(name)).filter((claim) => claim.region === region && claim.isVerified);
  const installed = await findIdentity(region, name);
  const [first] = claims;
  if (!first) {
    if (installed) await deleteIdentityAtSes(region, name);
    await deleteIdentity(region, name);
    return true;
  }
  const keepsKey = claims.some(({ domainId }) => domainId === installed?.domainId);
  if (installed && keepsKey) return await confirm(region, name, installed);
  return await install(region, name, first);
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
  const identity: SesIdentity = { workspaceId, domainId, ready: false };
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
  if (isVerified) await putIdentity(region, name, { ...identity, ready: true });
  return isVerified;
}

/** Schedules the next poll, with exponential backoff. */
async function pollAgain(message: SyncIdentity): Promise<void> {
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(message.polls, 10));
  const again = { ...message, polls: message.polls + 1 };
  await commit(message.workspaceId, [], [{ message: again, dueAt: now() + waitMs }]);
}
