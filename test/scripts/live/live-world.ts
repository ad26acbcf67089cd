/** A workspace with live connections, in memory: its log, its message group, what workers send, and clients that resume. */
import { composeId, type EventId, idTime } from '../../../lib/core/ids.ts';
import {
  type LiveConnection,
  newProgress,
  type Progress,
  type Subscription,
} from '../../../lib/core/live/connection.ts';
import type { ContinueLive, OutboxMessage, PushEvent } from '../../../lib/core/queue-messages.ts';
import type { StoredEvent } from '../../../lib/core/webhooks/event.ts';
import { continueMessage } from '../../../lib/services/live/continue-message.ts';
import { pushEvents } from '../../../lib/services/live/push-events.ts';
import type { PushPorts } from '../../../lib/services/live/push-ports.ts';

const workspaceId = composeId('wks', 1, new Uint8Array(10));
const startMs = Date.UTC(2026, 0, 1);

type Message = PushEvent | ContinueLive;

/** A client, which resumes where it was. */
export interface Client {
  readonly name: string;
  readonly filters: Omit<Subscription, 'id'>;
  /** Ids in the order of their arrival, repeated ones among them. */
  readonly received: EventId[];
  /** Its open connection; null: it has none. */
  connectionId: string | null;
  /** Whether the server has said that the subscription has begun. */
  isSubscribed: boolean;
}

const every = { types: [], labels: [], space: null } as const;

export interface World {
  readonly clients: readonly Client[];
  /** Events in the order in which they entered the log. */
  readonly entered: readonly EventId[];
  /** Stores an event that was recorded a while ago, and announces it. @param twice as a repeated publication does */
  publish(agoMs: number, of?: { readonly twice?: boolean; readonly type?: StoredEvent['type'] }): EventId;
  /** Opens a connection, from a minute before the newest event that the client has. */
  connect(client: Client): void;
  /** The connection is lost, which API Gateway knows at the next message. */
  lose(client: Client): void;
  /** The connection takes nothing until it is ready. @param takes messages that it takes before */
  setBusy(client: Client, isBusy: boolean, takes?: number): void;
  /** Ends the access of a client's key. */
  revoke(client: Client): void;
  /** One turn of the worker over at most ten messages. @param diesAt number of the call of a port at which it dies */
  turn(diesAt?: number): Promise<void>;
  /** Turns until no message is left, those that are due later among them. */
  drain(): Promise<void>;
  /** Moves the clock. */
  pass(ms: number): void;
  /** What is stored of how far a client's connection is. */
  progressOf(client: Client): Progress | undefined;
  /** Frames of a client that are no events. */
  readonly frames: { readonly name: string; readonly type: string }[];
}

class Died extends Error {}

/** @param filters of each client */
export function createWorld(filters: readonly Omit<Subscription, 'id'>[] = [every]): World {
  let nowMs = startMs;
  let serial = 0;
  const log = new Map<EventId, StoredEvent>();
  const entered: EventId[] = [];
  let queue: Message[] = [];
  let later: OutboxMessage[] = [];
  const connections = new Map<string, LiveConnection>();
  /** By connection: the client that is at the other end. */
  const sockets = new Map<string, Client>();
  /** How many messages each of them still takes. */
  const busy = new Map<Client, number>();
  const revoked = new Set<Client>();
  const frames: { name: string; type: string }[] = [];
  const clients = filters.map(
    (of, at): Client => ({
      name: `client ${at}`,
      filters: of,
      received: [],
      connectionId: null,
      isSubscribed: false,
    }),
  );

  const enqueue = ({ message, dueAt }: OutboxMessage) => {
    if (message.kind !== 'continue-live') throw new Error(`unexpected ${message.kind}`);
    if (dueAt !== undefined && dueAt > nowMs) later.push({ message, dueAt });
    else queue.push(message);
  };

  const ports: PushPorts = {
    now: () => nowMs,
    listConnections: async () => [...connections.values()],
    hasAccess: async (_, { id }) => {
      const client = clients.find(({ connectionId }) => connectionId === id);
      return !client || !revoked.has(client);
    },
    findEvents: async (_, ids) => new Map(ids.flatMap((id) => pairOf(log.get(id)))),
    async readLog(_, after, limit) {
      const rest = [...log.keys()].filter((id) => id > after).sort();
      const items = rest.slice(0, limit).flatMap((id) => log.get(id) ?? []);
      return { items, next: rest.length > limit ? (items.at(-1)?.id ?? null) : null };
    },
    labelsOf: async () => new Map(),
    async post(id, text) {
      const client = sockets.get(id);
      if (!client) return 'gone';
      const takes = busy.get(client);
      if (takes === 0) return 'busy';
      if (takes !== undefined) busy.set(client, takes - 1);
      const frame = JSON.parse(text) as { type: string; event: { id: EventId } };
      if (frame.type === 'event') client.received.push(frame.event.id);
      else frames.push({ name: client.name, type: frame.type });
      if (frame.type === 'subscribed') client.isSubscribed = true;
      return 'posted';
    },
    end: async (id) => void drop(id),
    async save(_, { id, subscription }, progress, messages) {
      const stored = connections.get(id);
      if (stored?.subscription?.id !== subscription?.id || !stored) return false;
      connections.set(id, { ...stored, progress });
      messages.forEach(enqueue);
      return true;
    },
    remove: async (_, ids) => {
      for (const id of ids) connections.delete(id);
    },
  };

  function drop(connectionId: string): void {
    const client = sockets.get(connectionId);
    sockets.delete(connectionId);
    if (!client || client.connectionId !== connectionId) return;
    client.connectionId = null;
    client.isSubscribed = false;
  }

  const world: World = {
    clients,
    entered,
    frames,
    publish(agoMs, { twice = false, type = 'email.sent' } = {}) {
      const id = composeId('evt', nowMs - agoMs, randomOf(++serial));
      const event: StoredEvent = {
        ...{ id, type, createdAt: nowMs, spaceId: null, expiresAt: Number.MAX_SAFE_INTEGER },
        subject: { threadId: composeId('thr', 1, new Uint8Array(10)) },
        body: JSON.stringify({ id, type, data: {} }),
      };
      log.set(id, event);
      entered.push(id);
      const message: PushEvent = { kind: 'push-event', v: 1, workspaceId, eventId: id };
      if (connections.size > 0) queue.push(...(twice ? [message, message] : [message]));
      return id;
    },
    connect(client) {
      const id = `c${++serial}`;
      client.connectionId = id;
      client.isSubscribed = false;
      sockets.set(id, client);
      const newest = client.received.toSorted().at(-1);
      const after = newest ? composeId('evt', idTime(newest) - 60_000, new Uint8Array(10)) : null;
      const subscription = { id: `s${++serial}`, ...client.filters };
      connections.set(id, {
        ...{ id, actor: composeId('key', 1, new Uint8Array(10)), sessionHash: null, sourceIp: '192.0.2.1' },
        ...{ endsAt: nowMs + 7_200_000, subscription, progress: newProgress(after) },
      });
      queue.push(continueMessage(workspaceId, id, subscription.id));
    },
    lose: ({ connectionId }) => connectionId !== null && drop(connectionId),
    setBusy: (client, isBusy, takes = 0) => void (isBusy ? busy.set(client, takes) : busy.delete(client)),
    revoke: (client) => void revoked.add(client),
    async turn(diesAt) {
      const batch = queue.slice(0, 10);
      if (batch.length === 0) return;
      try {
        await pushEvents(workspaceId, batch, diesAt === undefined ? ports : dying(ports, diesAt));
        // What was queued meanwhile is behind.
        queue = queue.slice(batch.length);
      } catch (error) {
        if (!(error instanceof Died)) throw error;
      }
    },
    async drain() {
      for (let turns = 0; queue.length + later.length > 0; turns++) {
        if (turns > 2000) throw new Error('the worker does not come to an end');
        if (queue.length === 0) world.pass(1000);
        await world.turn();
      }
    },
    progressOf: ({ connectionId }) => connections.get(connectionId ?? '')?.progress,
    pass(ms) {
      nowMs += ms;
      const due = later;
      later = [];
      due.forEach(enqueue);
    },
  };
  return world;
}

const pairOf = (event: StoredEvent | undefined): [EventId, StoredEvent][] =>
  event ? [[event.id, event]] : [];

function randomOf(serial: number): Uint8Array {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(0, serial);
  return bytes;
}

/** Ports of a worker that dies at one of its calls: before it has its answer. */
function dying(ports: PushPorts, diesAt: number): PushPorts {
  let calls = 0;
  const die =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const isLast = ++calls === diesAt;
      if (calls > diesAt) throw new Died();
      const answer = await call(...args);
      if (isLast) throw new Died();
      return answer;
    };
  return {
    now: ports.now,
    listConnections: die(ports.listConnections),
    hasAccess: die(ports.hasAccess),
    findEvents: die(ports.findEvents),
    readLog: die(ports.readLog),
    labelsOf: die(ports.labelsOf),
    post: die(ports.post),
    end: die(ports.end),
    save: die(ports.save),
    remove: die(ports.remove),
  };
}
