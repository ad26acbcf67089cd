/** Announces events that are in the log to the worker of live connections. */
import { sendAll } from '../../adapters/queues.ts';
import type { WorkspaceId } from '../../core/ids.ts';
import type { PublishEvent } from '../../core/queue-messages.ts';
import { allDone, valuesOf } from '../../core/work/all-done.ts';
import { hasConnections } from '../../storage/live/connections.ts';

/**
 * Sends a message for each event of a workspace with connections. Call it after the events are stored: whoever connects
 * later reads them from the log. Repeated, SQS drops the messages (five minutes), and connections may get an event twice.
 */
export async function announceLive(
  events: readonly Pick<PublishEvent, 'workspaceId' | 'eventId'>[],
): Promise<void> {
  const byWorkspace = Map.groupBy(events, ({ workspaceId }) => workspaceId);
  const withConnections = await allDone(
    [...byWorkspace].map(async ([workspaceId, all]) => ((await hasConnections(workspaceId)) ? all : [])),
  );
  const messages = withConnections.flat().map(({ workspaceId, eventId }) => ({
    message: pushMessage(workspaceId, eventId),
    deduplicationId: eventId,
  }));
  if (messages.length > 0) valuesOf(await sendAll(messages));
}

const pushMessage = (workspaceId: WorkspaceId, eventId: PublishEvent['eventId']) =>
  ({ kind: 'push-event', v: 1, workspaceId, eventId }) as const;
