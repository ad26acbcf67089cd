/** Consents that browsers are about to give, each for one callback within 15 minutes. */
import type { SpaceId, WorkspaceId } from '../../core/ids.ts';
import type { Consent } from '../../core/mailboxes/consent.ts';
import { mailboxProviders } from '../../core/mailboxes/mailbox.ts';
import { codec, id, list, nullable, number, object, oneOf, secondsAsMs, text } from '../table/codec.ts';
import { consentKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { put } from '../table/table.ts';
import { commitIfUnchanged, present } from '../table/transactions.ts';

const consentCodec = codec<Consent>('consent', {
  provider: oneOf(mailboxProviders),
  appId: nullable(id('app')),
  space: nullable(object<{ readonly id: SpaceId | null }>({ id: nullable(id('spc')) })),
  returnTo: nullable(text),
  redirectUri: text,
  ref: nullable(text),
  region: text,
  backfillDays: number,
  sealedVerifier: list(text),
  expiresAt: secondsAsMs,
});

/** Stores a consent under the state of its URL. */
export async function storeConsent(workspaceId: WorkspaceId, state: string, consent: Consent): Promise<void> {
  await put({ ...consentKey(workspaceId, state), ...consentCodec.encode(consent) });
}

/** The consent of a state; null where there is none (any more). It may have expired. */
export async function findConsent(workspaceId: WorkspaceId, state: string): Promise<Consent | null> {
  const item = await get(consentKey(workspaceId, state));
  return item && consentCodec.decode(item);
}

/** Removes the consent of a state. False where somebody else has. */
export async function removeConsent(workspaceId: WorkspaceId, state: string): Promise<boolean> {
  const key = consentKey(workspaceId, state);
  return await commitIfUnchanged(workspaceId, [{ as: 'consent', delete: key, ...present }]);
}
