/** Sends events to the live connections of their workspace. */
import { parseQueueMessageOf } from '../../lib/core/queue-messages.ts';
import { pushEvents } from '../../lib/services/live/push-events.ts';
import { pushPorts } from '../../lib/services/live/push-ports-table.ts';
import { consumeGroups } from '../../lib/services/queues/consume.ts';

export const handler = consumeGroups(
  (body) => parseQueueMessageOf(['push-event', 'continue-live'], body),
  async (messages) => {
    const [first] = messages;
    // The group is the workspace.
    if (first) await pushEvents(first.workspaceId, messages, pushPorts);
  },
);
