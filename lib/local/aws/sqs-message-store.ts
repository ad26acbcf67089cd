/** The messages of one queue in memory: message groups, and which of them have receivable messages. */
import type { LocalClock } from './service.ts';
import { createFairOrder, type DeliveryOrder } from './sqs-fair-order.ts';
import { createHiddenMessages } from './sqs-hidden-messages.ts';
import type { QueuedMessage } from './sqs-types.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface StoredMessage extends Mutable<Omit<QueuedMessage, 'state'>> {
  readonly group: MessageGroup;
  /** Position in the order of sending. */
  readonly order: number;
  isInFlight: boolean;
  /** End of a delay or visibility timeout, Unix milliseconds. */
  hiddenUntil: number;
  receiptHandle?: string;
}

/** A message before it has a place in the queue. */
export type NewMessage = Omit<StoredMessage, 'group' | 'order' | 'isInFlight' | 'hiddenUntil'>;

/** Messages that outlive the process, by id. They come back with their delay, but without the visibility timeout of a dead consumer. */
export type KeptMessages = Map<string, { readonly message: NewMessage; readonly visibleAt: number }>;

/** Messages received in order. A FIFO queue has one per message group id, a standard queue one per message. */
export interface MessageGroup {
  readonly key: string;
  /** Group id, by which a fair queue tells tenants apart. */
  readonly tenant: string | undefined;
  readonly messages: StoredMessage[];
  inFlight: number;
}

export interface MessageStore {
  /** Groups whose first message is receivable: in the order in which they became so, or in that of a fair queue. */
  readonly available: Iterable<MessageGroup>;
  add(message: NewMessage, delayMs: number): void;
  remove(message: StoredMessage): void;
  get(id: string): StoredMessage | undefined;
  /** In the order of sending. */
  all(): readonly StoredMessage[];
  /** The order of the message at a position, counted from 1; null: the queue is shorter. */
  orderAt(position: number): number | null;
  isHidden(message: StoredMessage): boolean;
  /** Marks a message in flight; no other message of its group becomes receivable meanwhile. */
  startFlight(message: StoredMessage): void;
  hide(message: StoredMessage, untilMs: number): void;
  makeVisible(message: StoredMessage): void;
  /** Takes a group with messages in flight off the available ones. */
  withdraw(group: MessageGroup): void;
  /** Makes visible whose delay or visibility timeout has ended. */
  releaseDue(): void;
  counts(): { readonly total: number; readonly inFlight: number; readonly hidden: number };
  /** The number for the next message, also used as FIFO sequence number. */
  nextOrder(): number;
  /** Calls `listener` after messages became receivable; returns a function that unsubscribes it. */
  onAvailable(listener: () => void): () => void;
}

/**
 * @param fifo whether messages with one group id are received in order
 * @param kept messages of an earlier run, which the store keeps up; default: nothing is kept
 */
export function createMessageStore(fifo: boolean, clock: LocalClock, kept?: KeptMessages): MessageStore {
  const groups = new Map<string, MessageGroup>();
  const fair = fifo ? null : createFairOrder<MessageGroup>(clock, ({ tenant }) => tenant);
  const available: DeliveryOrder<MessageGroup> = fair ?? new Set<MessageGroup>();
  const byId = new Map<string, StoredMessage>();
  const order = createOrderIndex(byId);
  const hidden = createHiddenMessages(clock, makeVisible);
  const notifier = createNotifier(() => available.size > 0);
  let nextOrder = 1;

  function makeVisible(message: StoredMessage): void {
    hidden.delete(message);
    endFlight(message);
    offer(message.group);
  }

  function endFlight(message: StoredMessage): void {
    if (!message.isInFlight) return;
    message.isInFlight = false;
    message.group.inFlight--;
    fair?.noteFlight(message.group, -1);
  }

  /** A group is available when no message of it is in flight and its first message is not hidden. */
  function offer(group: MessageGroup): void {
    const [first] = group.messages;
    if (!first || group.inFlight > 0 || hidden.has(first)) return;
    available.add(group);
    notifier.notify();
  }

  function insert(message: NewMessage, visibleAt: number): void {
    const key = (fifo ? message.groupId : undefined) ?? message.id;
    const group = groups.get(key) ?? { key, tenant: message.groupId, messages: [], inFlight: 0 };
    groups.set(key, group);
    // A kept message of a FIFO queue has its sequence number.
    nextOrder = Math.max(nextOrder, Number(message.sequenceNumber ?? 0));
    const added: StoredMessage = {
      ...message,
      group,
      order: nextOrder++,
      isInFlight: false,
      hiddenUntil: 0,
    };
    group.messages.push(added);
    byId.set(added.id, added);
    if (visibleAt > clock.now()) hidden.hide(added, visibleAt);
    else offer(group);
  }

  for (const { message, visibleAt } of kept?.values() ?? []) insert(message, visibleAt);

  return {
    available,
    add(message, delayMs) {
      const visibleAt = clock.now() + delayMs;
      kept?.set(message.id, { message, visibleAt });
      insert(message, visibleAt);
    },
    remove(message) {
      const { group } = message;
      kept?.delete(message.id);
      byId.delete(message.id);
      order.noteRemoval();
      hidden.delete(message);
      endFlight(message);
      group.messages.splice(group.messages.indexOf(message), 1);
      available.delete(group);
      if (group.messages.length === 0) groups.delete(group.key);
      else offer(group);
    },
    get: (id) => byId.get(id),
    all: () => [...byId.values()],
    orderAt: order.at,
    isHidden: (message) => hidden.has(message),
    startFlight(message) {
      message.isInFlight = true;
      message.group.inFlight++;
      fair?.noteFlight(message.group, 1);
    },
    hide: hidden.hide,
    makeVisible,
    withdraw: (group) => void available.delete(group),
    releaseDue: hidden.releaseDue,
    counts() {
      let inFlight = 0;
      for (const group of groups.values()) inFlight += group.inFlight;
      return { total: byId.size, inFlight, hidden: hidden.count() };
    },
    nextOrder: () => nextOrder,
    onAvailable: notifier.subscribe,
  };
}

/** Which message of a queue is at a position. */
function createOrderIndex(messages: ReadonlyMap<string, Pick<StoredMessage, 'order'>>) {
  let removals = 0;
  /** The last result, valid until a message is removed. */
  let known: { position: number; order: number; removals: number } | null = null;

  return {
    noteRemoval: () => void removals++,
    at(position: number): number | null {
      if (messages.size < position) return null;
      if (known?.position !== position || known.removals !== removals) {
        let left = position;
        for (const { order } of messages.values()) {
          left -= 1;
          if (left === 0) known = { position, order, removals };
          if (left === 0) break;
        }
      }
      return known?.order ?? null;
    },
  };
}

/** Calls listeners once per batch of changes, outside the caller's own change. */
function createNotifier(isWorthwhile: () => boolean) {
  const listeners = new Set<() => void>();
  let isScheduled = false;

  function notify(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      if (isWorthwhile()) for (const listener of listeners) listener();
    });
  }

  return {
    notify,
    subscribe(listener: () => void) {
      listeners.add(listener);
      if (isWorthwhile()) notify();
      return () => void listeners.delete(listener);
    },
  };
}
