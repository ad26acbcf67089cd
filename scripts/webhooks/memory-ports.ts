/** The ports of the dispatch over models of endpoints; each call takes what `call` makes of it. */
import type { HttpExchange } from '../../lib/adapters/outbound-http.ts';
import type { DeliverWebhook, OutboxMessage, ResumeEndpoint } from '../../lib/core/queue-messages.ts';
import type { Delivery } from '../../lib/core/webhooks/delivery.ts';
import type { EndpointRef } from '../../lib/core/webhooks/endpoint.ts';
import type { AnnouncePorts, DispatchPorts } from '../../lib/services/webhooks/dispatch-ports.ts';
import type { MemoryEndpoint } from './memory-endpoint.ts';

export interface MemoryWorld {
  now(): number;
  random(): number;
  endpoint(of: EndpointRef): MemoryEndpoint;
  /** Makes a call of the table or of a queue: when it takes effect is up to the world. */
  call<T>(name: string, effect: () => T): Promise<T>;
  post(endpoint: MemoryEndpoint, delivery: Delivery): Promise<HttpExchange>;
  /** A message of a publisher. */
  send(message: DeliverWebhook | ResumeEndpoint): void;
  /** Messages of a change: the relay sends them. */
  relay(messages: readonly OutboxMessage[]): void;
}

/** Workers of all worlds. */
let workers = 0;

export function memoryPorts(world: MemoryWorld): DispatchPorts & AnnouncePorts {
  const { endpoint, call } = world;
  /** A change of the table, and its messages where it is made. */
  const change = <T>(
    name: string,
    effect: () => T,
    messages: readonly OutboxMessage[],
    isDone: (done: T) => boolean,
  ) =>
    call(name, () => {
      const result = effect();
      if (isDone(result)) world.relay(messages);
      return result;
    });
  return {
    now: world.now,
    random: world.random,
    newToken: () => `worker-${workers++}`,
    send: (messages) => call('send', () => messages.forEach(world.send)),
    load: (of, messages) =>
      call('load', () => {
        const model = endpoint(of);
        return { found: model.found, state: model.state, due: model.load(messages) };
      }),
    findState: (of) => call('findState', () => endpoint(of).state),
    findEndpoint: (of) => call('findEndpoint', () => endpoint(of).found),
    takeUnits: (of, taken, messages) =>
      change(
        'takeUnits',
        () => endpoint(of).takeUnits(taken),
        messages,
        ({ isDone }) => isDone,
      ),
    returnUnits: (of, returned, messages) =>
      change(
        'returnUnits',
        () => endpoint(of).returnUnits(returned),
        messages,
        ({ isDone }) => isDone,
      ),
    store: (of, drafts) => call('store', () => endpoint(of).store(drafts)),
    addWaiting: (of, all) => call('addWaiting', () => endpoint(of).addWaiting(all)),
    markBacklog: (of) => call('markBacklog', () => endpoint(of).markBacklog()),
    clearBacklog: (of, before, health) =>
      call('clearBacklog', () => endpoint(of).clearBacklog(before, health)),
    removeEndpoint: (of) => call('removeEndpoint', () => endpoint(of).entries.clear()),
    listWaiting: (of, limit) => call('listWaiting', () => endpoint(of).listWaiting(limit)),
    removeWaiting: (of, all) => call('removeWaiting', () => endpoint(of).removeWaiting(all)),
    replaceWaiting: (of, all, messages) =>
      change(
        'replaceWaiting',
        () => endpoint(of).replaceWaiting(all),
        messages,
        (isDone) => isDone,
      ),
    bodyOf: async (_, { body }) => body,
    post: ({ of }, { delivery }) => world.post(endpoint(of), delivery),
    record: async ({ of }, due, { after, messages }) => {
      await change(
        'record',
        () => endpoint(of).record(due, after),
        messages,
        (isDone) => isDone,
      );
    },
  };
}
