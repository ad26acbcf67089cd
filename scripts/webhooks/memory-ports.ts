/** The ports of the dispatch over models of endpoints; each call takes what `call` makes of it. */
import type { HttpExchange } from '../../lib/adapters/outbound-http.ts';
import type { DeliverWebhook } from '../../lib/core/queue-messages.ts';
import { Recent } from '../../lib/core/recent.ts';
import type { Delivery } from '../../lib/core/webhooks/delivery.ts';
import { withoutEndedLease } from '../../lib/core/webhooks/dispatch.ts';
import type { DispatchPorts, EndpointRef } from '../../lib/services/webhooks/dispatch-ports.ts';
import type { MemoryEndpoint } from './memory-endpoint.ts';

export interface MemoryWorld {
  now(): number;
  pause(ms: number): Promise<void>;
  random(): number;
  endpoint(of: EndpointRef): MemoryEndpoint;
  /** Makes a call of the table or of a queue: when it takes effect is up to the world. */
  call<T>(name: string, effect: () => T): Promise<T>;
  post(endpoint: MemoryEndpoint, delivery: Delivery): Promise<HttpExchange>;
  send(message: DeliverWebhook): void;
  setTimer(message: DeliverWebhook, at: number): void;
  reportOutage(of: EndpointRef, failingSince: number): void;
}

export function memoryPorts(world: MemoryWorld): DispatchPorts {
  const { endpoint, call } = world;
  return {
    attempts: {
      running: 0,
      max: Number.POSITIVE_INFINITY,
      bodyBytes: 0,
      bodyBytesMax: Number.POSITIVE_INFINITY,
    },
    now: world.now,
    handOvers: new Recent(),
    pause: world.pause,
    random: world.random,
    async findState(of) {
      const state = await call('findState', () => endpoint(of).state);
      const id = state.lease?.endsWith?.id;
      return id ? withoutEndedLease(state, await call('findDelivery', () => endpoint(of).find(id))) : state;
    },
    acquireLease: (of, worker) => call('acquireLease', () => endpoint(of).acquire(worker, world.now())),
    askAgain: (of, token) => call('askAgain', () => endpoint(of).askAgain(token)),
    noteCall: (of, sessions, untilMs) => call('noteCall', () => endpoint(of).noteCall(sessions, untilMs)),
    clearAgain: (of, token) => call('clearAgain', () => endpoint(of).clearAgain(token)),
    releaseLease: (of, token, found, { isHandedOver }) => {
      const { health, wakeAt } = found;
      return call('releaseLease', () => endpoint(of).release(token, { health, wakeAt }, isHandedOver));
    },
    removeState: (of) =>
      call('removeState', () => {
        const model = endpoint(of);
        model.release(model.state.lease?.token ?? '', { ...model.state, wakeAt: null }, true);
      }),
    listDue: (of, limit) => call('listDue', () => endpoint(of).listDue(limit)),
    addDue: (...all) =>
      call('addDue', () => {
        for (const { delivery, ...of } of all) endpoint(of).addDue(delivery);
      }),
    removeDue: (...entries) =>
      call('removeDue', () => {
        for (const entry of entries) {
          const { pk } = entry.key;
          endpoint({ endpointId: pk } as EndpointRef).removeDue(entry);
        }
      }),
    isEntryOf: (entry, { delivery, ...of }) => entry.key.sk === endpoint(of).keyOf(delivery),
    store: ({ delivery, ...of }) => call('store', () => endpoint(of).store(delivery)),
    load: (of, entries, named) =>
      call('load', () => {
        const model = endpoint(of);
        return { found: model.found, due: model.load(entries, named) };
      }),
    findEndpoint: (of) => call('findEndpoint', () => endpoint(of).found),
    bodyOf: async (_, __, { body }) => body,
    post: (of, _, { delivery }) => world.post(endpoint(of), delivery),
    record: ({ delivery, isStored, endsSession, ...of }, _, __, after) =>
      call('record', () => endpoint(of).record({ ...delivery, endedSession: endsSession }, isStored, after)),
    send: (...messages) =>
      call('send', () => {
        for (const message of messages) world.send(message);
      }),
    setTimer: (message, at) =>
      call('setTimer', () => {
        endpoint(message).wakes.add(at);
        world.setTimer(message, at);
      }),
    reportOutage: (of, failingSince) => call('reportOutage', () => world.reportOutage(of, failingSince)),
    removeWake: (of, at) => call('removeWake', () => void endpoint(of).wakes.delete(at)),
  };
}
