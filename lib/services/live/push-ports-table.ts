/** The push of events on the table and the WebSocket API. */
import { now } from '../../adapters/clock.ts';
import { endConnection, postToConnection } from '../../adapters/connections.ts';
import { listConnections, removeConnections, saveProgress } from '../../storage/live/connections.ts';
import { findThreads } from '../../storage/threads/threads.ts';
import { findEvents, listEvents } from '../../storage/webhooks/events.ts';
import { hasAccess } from './live-access.ts';
import type { PushPorts } from './push-ports.ts';

export const pushPorts: PushPorts = {
  now,
  listConnections,
  hasAccess: (workspaceId, connection) => hasAccess(workspaceId, connection, connection.sourceIp),
  findEvents,
  readLog: (workspaceId, after, limit) =>
    listEvents(workspaceId, { range: { after } }, 'oldest first', { limit, after: null }),
  async labelsOf(workspaceId, ids) {
    const threads = await findThreads(workspaceId, ids);
    return new Map(threads.map(({ id, labels }) => [id, labels]));
  },
  post: postToConnection,
  end: endConnection,
  save: saveProgress,
  remove: removeConnections,
};
