/** Finds new messages of connected mailboxes. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { syncMailbox } from '../../lib/services/mailboxes/sync-mailbox.ts';
import { syncPorts } from '../../lib/services/mailboxes/sync-ports-table.ts';
import { consume } from '../../lib/services/queues/consume.ts';

export const handler = consume(async (body, { messageId }) => {
  const message = parseQueueMessage('sync-mailbox', body);
  await syncMailbox(syncPorts(message.workspaceId, message.mailboxId), message, messageId);
});
