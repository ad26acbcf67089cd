/** Lets held emails leave as the pacing rules of their workspace allow. */
import { parseQueueMessage } from '../../lib/core/queue-messages.ts';
import { paceMail } from '../../lib/services/pacing/pace-mail.ts';
import { pacerPorts } from '../../lib/services/pacing/pacer-ports-table.ts';
import { consume } from '../../lib/services/queues/consume.ts';

export const handler = consume(async (body, { messageId }) => {
  const { workspaceId, wakeAt } = parseQueueMessage('pace-mail', body);
  await paceMail(pacerPorts(workspaceId), { token: messageId, timer: wakeAt });
});
