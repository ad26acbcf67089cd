/**
 * Sends events to the live connections of a workspace (docs/decisions/0079-live-events.md). Its messages are in one group of a FIFO
 * queue: one turn at a time sends to a workspace's connections.
 */
import type { EventId, WorkspaceId } from '../../core/ids.ts';
import { parseId } from '../../core/ids.ts';
import {
  afterReading,
  hasGivenUp,
  isBehind,
  isSubscribed,
  type LiveConnection,
  type LiveEvent,
  type Progress,
  pageOfTurn,
  recentOf,
  type Subscription,
  takesAnnounced,
} from '../../core/live/connection.ts';
import type { ContinueLive, PushEvent } from '../../core/queue-messages.ts';
import type { StoredEvent } from '../../core/webhooks/event.ts';
import { allDone } from '../../core/work/all-done.ts';
import { continueMessage } from './continue-message.ts';
import { closedFrame, eventFrame, subscribedFrame } from './frames.ts';
import type { PushPorts } from './push-ports.ts';

/** A connection that took no more is tried again after this time. */
const retryMs = 1000;
/** A turn starts no message after this time; the function has three times as much. */
const turnMs = 10_000;

/** A connection with its subscription. */
type Subscribed = LiveConnection & { readonly subscription: Subscription };

/** The connections of a workspace in one turn. */
interface Turn {
  readonly workspaceId: WorkspaceId;
  readonly ports: PushPorts;
  readonly until: number;
  /** By id; those that have ended, or have another subscription meanwhile, are removed. */
  readonly connections: Map<string, Subscribed>;
}

/** Sends what messages of one workspace announce or continue, in their order. Repeated, it may send events again. */
export async function pushEvents(
  workspaceId: WorkspaceId,
  messages: readonly (PushEvent | ContinueLive)[],
  ports: PushPorts,
): Promise<void> {
  const turn = await beginTurn(workspaceId, ports);
  let announced: EventId[] = [];
  for (const message of messages) {
    if (message.kind === 'push-event') {
      announced.push(message.eventId);
      continue;
    }
    await pushAnnounced(turn, announced);
    announced = [];
    await continueConnection(turn, message);
  }
  await pushAnnounced(turn, announced);
}

/** Lists the connections, and ends those whose key or session has. */
async function beginTurn(workspaceId: WorkspaceId, ports: PushPorts): Promise<Turn> {
  const nowMs = ports.now();
  const turn: Turn = { workspaceId, ports, until: nowMs + turnMs, connections: new Map() };
  const listed = await ports.listConnections(workspaceId);
  const over = listed.filter(({ endsAt }) => nowMs >= endsAt);
  await allDone([
    over.length > 0
      ? ports.remove(
          workspaceId,
          over.map(({ id }) => id),
        )
      : undefined,
    ...listed.map(async (connection) => {
      if (nowMs >= connection.endsAt) return;
      const { subscription } = connection;
      if (!(await ports.hasAccess(workspaceId, connection))) await close(turn, connection.id, closedFrame);
      else if (subscription) turn.connections.set(connection.id, { ...connection, subscription });
    }),
  ]);
  return turn;
}

/** Ends a connection for good. @param frame sent before */
async function close({ workspaceId, ports, connections }: Turn, id: string, frame?: string): Promise<void> {
  connections.delete(id);
  if (frame !== undefined) await ports.post(id, frame);
  await ports.end(id);
  await ports.remove(workspaceId, [id]);
}

/** Sends events that have entered the log. */
async function pushAnnounced(turn: Turn, announced: readonly EventId[]): Promise<void> {
  const ids = [...new Set(announced)].sort();
  const taking = [...turn.connections.values()].flatMap((connection) => {
    const taken = ids.filter((id) => takesAnnounced(connection.progress, id));
    return taken.length > 0 ? [{ connection, taken }] : [];
  });
  const wanted = new Set(taking.flatMap(({ connection, taken }) => [...connection.progress.owed, ...taken]));
  if (wanted.size === 0) return;
  const events = await turn.ports.findEvents(turn.workspaceId, [...wanted]);
  const isWanted = await filterOf(
    turn,
    [...events.values()],
    taking.map(({ connection }) => connection),
  );
  await allDone(
    taking.map(async ({ connection, taken }) => {
      const fresh = taken
        .flatMap((id) => events.get(id) ?? [])
        .filter((event) => isWanted(connection, event));
      if (fresh.length === 0) return;
      const owed = connection.progress.owed.flatMap((id) => events.get(id) ?? []);
      const left = await send(turn, connection, [...owed, ...fresh]);
      if (left)
        await settle(
          turn,
          connection,
          left.map(({ id }) => id),
        );
    }),
  );
}

/** Stores what a connection did not take; nothing is stored where it took everything, and remembers nothing that is old. */
async function settle(turn: Turn, connection: Subscribed, owed: readonly EventId[]): Promise<void> {
  const { progress } = connection;
  const sent = recentOf(progress.sent, turn.ports.now());
  // Each turn reads what connections remember.
  const forgets = progress.sent.length > 0 && sent.length === 0;
  if (owed.length === 0 && progress.owed.length === 0 && !forgets) return;
  const next = { ...progress, owed, sent };
  // Where it was behind, a message that continues it is on its way.
  await save(turn, connection, next, isBehind(progress) || !isBehind(next) ? null : retryMs);
}

/** Begins a subscription, sends what a connection is owed, and reads the log for it. */
async function continueConnection(turn: Turn, message: ContinueLive): Promise<void> {
  const connection = turn.connections.get(message.connectionId);
  if (!connection || connection.subscription.id !== message.subscriptionId) return;
  const { progress } = connection;
  if (!progress.isBegun) {
    const begun = await turn.ports.post(connection.id, subscribedFrame(progress.cursor));
    if (begun === 'gone') return await forget(turn, connection);
    if (begun === 'busy') return await retry(turn, connection, progress);
  }
  const left = await sendOwed(turn, connection);
  if (!left) return;
  const rest = { ...progress, isBegun: true, owed: left };
  if (left.length > 0) return await retry(turn, connection, rest);
  await readLog(turn, connection, { ...rest, failures: 0 });
}

/** @returns what it did not take; null: the connection is gone */
async function sendOwed(turn: Turn, connection: Subscribed): Promise<readonly EventId[] | null> {
  const { owed } = connection.progress;
  if (owed.length === 0) return [];
  const events = await turn.ports.findEvents(turn.workspaceId, owed);
  const left = await send(
    turn,
    connection,
    owed.flatMap((id) => events.get(id) ?? []),
  );
  return left?.map(({ id }) => id) ?? null;
}

/** Sends a page of the log. @param progress with nothing that is owed */
async function readLog(turn: Turn, connection: Subscribed, progress: Progress): Promise<void> {
  const { cursor } = progress;
  if (cursor === null) return await save(turn, connection, progress, null);
  const { items, next } = await turn.ports.readLog(turn.workspaceId, cursor, pageOfTurn);
  const isWanted = await filterOf(turn, items, [connection]);
  const wanted = items.filter((event) => isWanted(connection, event));
  const left = await send(turn, connection, wanted);
  if (!left) return;
  const sent = wanted.slice(0, wanted.length - left.length).map(({ id }) => id);
  const nowMs = turn.ports.now();
  const [first] = left;
  if (!first) {
    const after = afterReading(progress, {
      sent,
      cursor: next === null ? null : parseId('evt', next),
      nowMs,
    });
    return await save(turn, connection, after, after.cursor === null ? null : 0);
  }
  const before = items[items.indexOf(first) - 1]?.id ?? cursor;
  await retry(turn, connection, afterReading(progress, { sent, cursor: before, nowMs }), sent.length > 0);
}

/** Continues later with a connection that took no more. */
async function retry(
  turn: Turn,
  connection: Subscribed,
  progress: Progress,
  hasTaken = false,
): Promise<void> {
  // A turn that is over says nothing of the connection.
  const isOver = turn.ports.now() >= turn.until;
  const failures = hasTaken ? 0 : progress.failures + (isOver ? 0 : 1);
  await save(turn, connection, { ...progress, failures }, retryMs);
}

/** @param continuesMs when a message is to continue the connection; null: none is */
async function save(
  turn: Turn,
  connection: Subscribed,
  progress: Progress,
  continuesMs: number | null,
): Promise<void> {
  const { workspaceId, ports, connections } = turn;
  // The client opens another connection, from its last event.
  if (hasGivenUp(progress)) return await close(turn, connection.id);
  const message = continueMessage(workspaceId, connection.id, connection.subscription.id);
  const messages =
    continuesMs === null ? [] : [{ message, ...(continuesMs > 0 && { dueAt: ports.now() + continuesMs }) }];
  const isSaved = await ports.save(workspaceId, connection, progress, messages);
  if (isSaved) connections.set(connection.id, { ...connection, progress });
  // The client has subscribed anew, which has a message of its own.
  else connections.delete(connection.id);
}

async function forget({ workspaceId, ports, connections }: Turn, { id }: Subscribed): Promise<void> {
  connections.delete(id);
  await ports.remove(workspaceId, [id]);
}

/** Sends events one after the other. @returns those that the connection did not take; null: it is gone */
async function send(
  turn: Turn,
  connection: Subscribed,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[] | null> {
  for (const [at, event] of events.entries()) {
    const posted =
      turn.ports.now() < turn.until ? await turn.ports.post(connection.id, eventFrame(event)) : 'busy';
    if (posted === 'busy') return events.slice(at);
    if (posted === 'gone') {
      await forget(turn, connection);
      return null;
    }
  }
  return [];
}

/** Whether a connection has subscribed to an event; threads are read where labels are asked for. */
async function filterOf(
  { workspaceId, ports }: Turn,
  events: readonly StoredEvent[],
  connections: readonly Subscribed[],
): Promise<(connection: Subscribed, event: StoredEvent) => boolean> {
  const asksLabels = connections.some(({ subscription }) => subscription.labels.length > 0);
  const seen = new Map(events.map((event) => [event, asLiveEvent(event, asksLabels)]));
  const threads = new Set([...seen.values()].flatMap(({ threadId }) => threadId ?? []));
  const labels = threads.size > 0 ? await ports.labelsOf(workspaceId, [...threads]) : new Map();
  return ({ subscription }, event) => {
    const live = seen.get(event);
    return live !== undefined && isSubscribed(subscription, live, (id) => labels.get(id) ?? []);
  };
}

/** @param hasThread whether the thread is of interest: it is in the body */
function asLiveEvent({ id, type, spaceId, body }: StoredEvent, hasThread: boolean): LiveEvent {
  if (!hasThread) return { id, type, spaceId, threadId: null };
  const { data } = JSON.parse(body) as { data: { thread_id?: unknown } };
  const threadId = typeof data.thread_id === 'string' ? parseId('thr', data.thread_id) : null;
  return { id, type, spaceId, threadId };
}
