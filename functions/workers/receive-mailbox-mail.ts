/** Stores messages of connected mailboxes, and blocked messages that are accepted. */
import { parseQueueMessageOf } from '../../lib/core/queue-messages.ts';
import { receiveMailboxMessage } from '../../lib/services/mailboxes/receive-mailbox-message.ts';
import { consume } from '../../lib/services/queues/consume.ts';
import { blockedOf, receiveBlocked } from '../../lib/services/receiving/accept-blocked.ts';

export const handler = consume(async (body) => {
  const message = parseQueueMessageOf(['receive-mailbox-message', 'receive-blocked-email'], body);
  if (message.kind === 'receive-mailbox-message') return await receiveMailboxMessage(message);
  const { workspaceId } = message;
  const blocked = await blockedOf(message);
  if (!blocked) return;
  const { source } = blocked;
  if (source.kind === 'ses') return await receiveBlocked(workspaceId, blocked, source);
  const { mailboxId, messageId } = source;
  const fetched = {
    kind: 'receive-mailbox-message',
    v: 1,
    workspaceId,
    mailboxId,
    messageId,
    failures: 0,
  } as const;
  await receiveMailboxMessage(fetched, { passesRules: true });
});
