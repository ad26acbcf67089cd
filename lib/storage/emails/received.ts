/**
 * Messages that a space has received: each is claimed once by its fingerprint, in the item of its Message-ID where no other message
 * has the id, which saves two write units, or else in an item of its own. `arrivals.ts` reads both.
 */
import { now } from '../../adapters/clock.ts';
import type { EmailId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { codec, id, secondsAsMs } from '../table/codec.ts';
import { receivedKey } from '../table/keys.ts';
import { get } from '../table/reads.ts';
import { absent, type Write } from '../table/transactions.ts';

/** SQS keeps a message for at most 14 days, and mail servers retry for about 5 (RFC 5321, 4.5.4.1). */
const keptMs = 30 * 24 * 3_600_000;

/** For stores only. */
export const receivedCodec = codec<{ readonly emailId: EmailId; readonly expiresAt: number }>(
  'received message',
  {
    emailId: id('eml'),
    expiresAt: secondsAsMs,
  },
);

/** The write that records a received message, named `received`. Its condition fails where the space has the message. */
export function claimReceived(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  fingerprint: string,
  emailId: EmailId,
): Write {
  const attributes = receivedCodec.encode({ emailId, expiresAt: now() + keptMs });
  return {
    as: 'received',
    put: { ...receivedKey(workspaceId, spaceId, fingerprint), ...attributes },
    ...absent,
  };
}

/** The email of a message that the space has received, and whose claim is not its Message-ID; else null. */
export async function findReceived(
  workspaceId: WorkspaceId,
  spaceId: SpaceId | null,
  fingerprint: string,
): Promise<EmailId | null> {
  const item = await get(receivedKey(workspaceId, spaceId, fingerprint));
  return item && receivedCodec.decode(item).emailId;
}
