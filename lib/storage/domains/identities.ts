/** SES identities, one per name and region for all workspaces: whose DKIM key each carries, and whether SES has verified it. */
import { now } from '../../adapters/clock.ts';
import {
  type IdentityFailure,
  identityFindingIds,
  type SesIdentity,
} from '../../core/domains/sender-domain.ts';
import { codec, flag, id, nullable, number, object, oneOf, secondsAsMs, text } from '../table/codec.ts';
import { expressionsOf } from '../table/expressions.ts';
import { identityKey, providedRefusalKey, setupTurnKey } from '../table/keys.ts';
import { get, getMany } from '../table/reads.ts';
import { put, remove, update } from '../table/table.ts';
import type { Write } from '../table/transactions.ts';

const identityCodec = codec<SesIdentity>('SES identity', {
  workspaceId: id('wks'),
  domainId: id('dom'),
  ready: flag,
  failure: nullable(object<IdentityFailure>({ id: oneOf(identityFindingIds), detail: text, at: number })),
});

/** The identity of a name, or null. */
export async function findIdentity(region: string, name: string): Promise<SesIdentity | null> {
  const item = await get(identityKey(region, name));
  return item && identityCodec.decode(item);
}

/** The identities of names, in their order; null where there is none. */
export async function findIdentities(
  names: readonly { readonly region: string; readonly name: string }[],
): Promise<(SesIdentity | null)[]> {
  const items = await getMany(names.map(({ region, name }) => identityKey(region, name)));
  return items.map((item) => item && identityCodec.decode(item));
}

/** Notes of domains whose set-up nobody asks for again expire by TTL. */
const wantedKeptMs = 30 * 86_400_000;

/** A write that notes that mail of a name waits for its identity; its condition fails where that is noted. */
export function noteWanted(region: string, name: string): Write {
  const expiresAt = secondsAsMs.write(now() + wantedKeptMs);
  return {
    as: 'wanted',
    update: setupTurnKey(region, name),
    ...expressionsOf({ set: { wantedAt: now(), expiresAt } }, { absent: ['wantedAt'] }),
  };
}

/** Whether SES accepts mail of the provided domain of the deployment, as far as it is known. */
export async function isProvidedReady(region: string): Promise<boolean> {
  const refusal = await findProvidedRefusal(region);
  return refusal === null || now() >= refusal.since + providedWaitMs;
}

/** SES looks for the records of an identity for 72 hours ("Creating and verifying identities in Amazon SES"). */
const providedWaitMs = 72 * 3_600_000;

/** SES refused mail of the provided domain in a region, because the domain is not verified. */
interface ProvidedRefusal {
  /** Unix milliseconds. */
  readonly since: number;
}

const refusalCodec = codec<ProvidedRefusal>('refusal of the provided domain', { since: number });

/** The refusal of the provided domain that holds its mail; null where none is recorded. */
export async function findProvidedRefusal(region: string): Promise<ProvidedRefusal | null> {
  const item = await get(providedRefusalKey(region));
  return item && refusalCodec.decode(item);
}

/** Records that SES refuses the provided domain. False where it has done so for 72 hours: its mail waits no longer. */
export async function recordProvidedRefusal(region: string, at: number): Promise<boolean> {
  const item = await update(providedRefusalKey(region), expressionsOf({ setOnce: { since: at } }));
  return item !== null && at < refusalCodec.decode(item).since + providedWaitMs;
}

/** Deletes the refusal: SES has verified the provided domain. */
export async function forgetProvidedRefusal(region: string): Promise<void> {
  await remove(providedRefusalKey(region));
}

/** Stores the state of an identity. Only the worker `sync-identity` writes it. */
export async function putIdentity(region: string, name: string, identity: SesIdentity): Promise<void> {
  await put({ ...identityKey(region, name), ...identityCodec.encode(identity) });
}

/** Deletes the record of an identity that was deleted at SES. */
export async function deleteIdentity(region: string, name: string): Promise<void> {
  await remove(identityKey(region, name));
}
