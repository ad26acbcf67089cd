/** Answers what clients send over live connections (docs/concepts/live.md#messages). */
import { now } from '../../adapters/clock.ts';
import { endConnection, postToConnection } from '../../adapters/connections.ts';
import { newToken } from '../../adapters/ids.ts';
import { budgetUnits } from '../../core/access/access.ts';
import type { EventId, WorkspaceId } from '../../core/ids.ts';
import { newProgress, type Subscription } from '../../core/live/connection.ts';
import * as store from '../../storage/live/connections.ts';
import type { RequestAdmission } from '../admission/admit-request.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';
import { continueMessage } from './continue-message.ts';
import { closedFrame, pongFrame } from './frames.ts';
import { hasAccess } from './live-access.ts';

/** What a client asks for. */
export type LiveRequest =
  | { readonly action: 'ping' }
  | {
      readonly action: 'subscribe';
      readonly filters: Omit<Subscription, 'id'>;
      /** The last event that the client has; null: from now on. */
      readonly after: EventId | null;
    };

interface Answering {
  readonly admit: RequestAdmission['admit'];
  /** Reads the message. @throws Problem */
  readonly read: () => LiveRequest;
}

/**
 * Answers a message: over the connection, since the answer to a subscription comes from the worker that sends its events. A connection whose
 * key or session has ended is closed. A message counts as a read in the request budget.
 *
 * @throws Problem
 */
export async function answerClient(connectionId: string, { admit, read }: Answering): Promise<void> {
  const found = await store.findConnection(connectionId);
  const isOpen =
    found !== null &&
    now() < found.connection.endsAt &&
    (await hasAccess(found.workspaceId, found.connection, found.connection.sourceIp));
  if (!found || !isOpen) return await closeConnection(connectionId, found?.workspaceId ?? null);
  const { workspaceId } = found;
  const admission = await admit(workspaceId, { units: budgetUnits.read, namesSpace: false });
  try {
    const request = read();
    if (request.action === 'ping') await postToConnection(connectionId, pongFrame);
    else await subscribe(workspaceId, connectionId, request);
  } finally {
    await admission.release();
  }
}

async function subscribe(
  workspaceId: WorkspaceId,
  connectionId: string,
  { filters, after }: Extract<LiveRequest, { action: 'subscribe' }>,
): Promise<void> {
  if (filters.space !== 'none') await checkSpaceFilter(workspaceId, filters.space);
  const subscription = { id: newToken(9), ...filters };
  const message = continueMessage(workspaceId, connectionId, subscription.id);
  await store.storeSubscription(
    workspaceId,
    connectionId,
    { subscription, progress: newProgress(after) },
    { message },
  );
}

async function closeConnection(connectionId: string, workspaceId: WorkspaceId | null): Promise<void> {
  await postToConnection(connectionId, closedFrame);
  await endConnection(connectionId);
  if (workspaceId) await store.removeConnections(workspaceId, [connectionId]);
}
