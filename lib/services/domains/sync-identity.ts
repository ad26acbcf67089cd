/**
 * One SES identity serves every workspace that holds a name. It carries the DKIM key of a workspace whose record is
 * published, and goes when there is none left. All of it runs in one serialised queue: SES takes one call a second.
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
import type { SyncIdentity } from '../../core/queue-messages.ts';
import { findDomainWithKey, listClaims } from '../../storage/domains.ts';
import { deleteIdentity, findIdentity, type Identity, putIdentity } from '../../storage/identities.ts';
import { enqueue } from '../../storage/outbox.ts';
import { transact } from '../../storage/table.ts';
import { dkimKeyPurpose } from './create-domain.ts';

const firstWaitMs = 5000;
const longestWaitMs = 15 * 60_000;

/** Does what a `sync-identity` message asks for. Safe to repeat at any point. */
export async function syncIdentity(message: SyncIdentity): Promise<void> {
  try {
    if (!(await isSynced(message))) await lookAgain(message);
  } catch (error) {
    if (!(error instanceof IdentitiesBusy)) throw error;
    await lookAgain(message);
  }
}

/** True once SES is as the claims want it. */
async function isSynced({ region, name }: SyncIdentity): Promise<boolean> {
  const claims = (await listClaims(name)).filter((claim) => claim.region === region && claim.isVerified);
  const installed = await findIdentity(region, name);
  const [first] = claims;
  if (!first) {
    if (installed) await deleteIdentityAtSes(region, name);
    await deleteIdentity(region, name);
    return true;
  }
  const keeps = claims.some(({ domainId }) => domainId === installed?.domainId);
  if (installed && keeps) return await confirm(region, name, installed);
  return await install(region, name, first);
}

/** Installs the key of `holder`. It is noted after the call: a crash in between installs it again. */
async function install(
  region: string,
  name: string,
  holder: Pick<Identity, 'workspaceId' | 'domainId'>,
): Promise<boolean> {
  const { workspaceId, domainId } = holder;
  const found = await findDomainWithKey(workspaceId, domainId);
  // The domain went meanwhile; its deletion has a message of its own.
  if (!found?.dkim) return true;
  const context = { workspaceId, purpose: dkimKeyPurpose };
  const privateKey = await unseal(found.dkim.sealedPrivateKey, context);
  await installKey(region, name, { selector: found.dkim.selector, privateKey }, returnPathName(name));
  const identity: Identity = { workspaceId, domainId, ready: false };
  await putIdentity(region, name, identity);
  return await confirm(region, name, identity);
}

/** Asks SES whether it has seen the record too; usually minutes after our own look-up. */
async function confirm(region: string, name: string, identity: Identity): Promise<boolean> {
  if (identity.ready) return true;
  const isVerified = await isIdentityVerified(region, name);
  if (isVerified === null) {
    // Somebody deleted it at SES: begin again with the next message.
    await deleteIdentity(region, name);
    return false;
  }
  if (isVerified) await putIdentity(region, name, { ...identity, ready: true });
  return isVerified;
}

/** Owes another look, later each time. */
async function lookAgain(message: SyncIdentity): Promise<void> {
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(message.polls, 10));
  const again = { ...message, polls: message.polls + 1 };
  await transact(enqueue(message.workspaceId, [{ message: again, dueAt: now() + waitMs }]));
}
