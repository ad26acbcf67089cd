/** Which messages a space has received already, by fingerprint. */
import { now } from '../adapters/clock.ts';
import type { EmailId, SpaceId, WorkspaceId } from '../core/ids.ts';
import { receivedKey } from './keys.ts';
import { absent, get, type Write } from './table.ts';

/** SQS keeps a message for 14 days, and a sender gives up after 5: after a month nothing comes again. */
const keptMs = 30 * 24 * 3_600_000;

/** The email that the message became when it came before, or null. */
export async function findReceived(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  fingerprint: string,
): Promise<EmailId | null> {
  const item = await get(receivedKey(workspaceId, spaceId, fingerprint));
  return (item?.emailId as EmailId | undefined) ?? null;
}

/** The write, named `received`, that fails where the message is in the space already. */
export function claimReceived(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  fingerprint: string,
  emailId: EmailId,
): Write {
  const expiresAt = Math.ceil((now() + keptMs) / 1000);
  return {
    as: 'received',
    put: { ...receivedKey(workspaceId, spaceId, fingerprint), emailId, expiresAt },
    ...absent,
  };
}
