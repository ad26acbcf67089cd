/** The end of blocked mail that nobody has let in (docs/concepts/inbound-rules.md#blocked-mail). */
import { now } from '../../adapters/clock.ts';
import type { ExpireBlockedEmail } from '../../core/queue-messages.ts';
import { endsOfBlocked } from '../../core/receiving/inbound-rules.ts';
import { findBlocked, removeExpired } from '../../storage/receiving/blocked-emails.ts';

/** Processes an `expire-blocked-email` message. Idempotent. The raw message of accepted mail is that of an email. */
export async function expireBlocked({ workspaceId, blockedId }: ExpireBlockedEmail): Promise<void> {
  const blocked = await findBlocked(workspaceId, blockedId);
  if (!blocked || blocked.acceptedAt !== null) return;
  if (endsOfBlocked(blocked.createdAt).openUntil > now()) return;
  await removeExpired(workspaceId, blocked);
}
