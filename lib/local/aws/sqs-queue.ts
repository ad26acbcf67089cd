/** One SQS queue: delays, visibility, FIFO groups, deduplication, receive counts and redrive, on the local clock. */
import { createHash, randomUUID } from 'node:crypto';
import { AwsError, type LocalClock } from './service.ts';
import { checkMessage, checkVisibility, invalid } from './sqs-rules.ts';
import type { MessageInput, Queue, QueuedMessage, QueueSettings, ReceivedMessage } from './sqs-types.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Entry extends Mutable<Omit<QueuedMessage, 'state'>> {
  readonly lane: Lane;
  readonly order: number;
  inFlight: boolean;
  /** Until when it is hidden: delayed or in flight. */
  hiddenUntil: number;
  handle?: string;
}

/**
 * Messages that are received one after the other. In a FIFO queue that is a message group; in a standard queue every
 * message has a lane to itself, so that both kinds are one mechanism.
 */
interface Lane {
  readonly key: string;
  readonly entries: Entry[];
  inFlight: number;
}

const deduplicationMs = 300_000;

/** @param deadLetters finds the queue that dead letters go to */
export function createQueue(
  settings: QueueSettings,
  arn: string,
  clock: LocalClock,
  deadLetters: (arn: string) => Queue,
): Queue {
  const { fifo, redrive } = settings;
  const lanes = new Map<string, Lane>();
  /** Lanes with something to receive, in the order in which they came to have it. */
  const ready = new Set<Lane>();
  const hidden = new Set<Entry>();
  const byId = new Map<string, Entry>();
  const sentBefore = new Map<string, { at: number; id: string; sequenceNumber?: string | undefined }>();
  const listeners = new Set<() => void>();
  let nextOrder = 1;
  let wakeAt = Number.POSITIVE_INFINITY;
  let cancelWake = () => {};
  let isNotifying = false;

  function notify(): void {
    if (isNotifying) return;
    isNotifying = true;
    // Once per batch of changes, and never inside a caller's own change.
    queueMicrotask(() => {
      isNotifying = false;
      if (ready.size > 0) for (const listener of listeners) listener();
    });
  }

  function hide(entry: Entry, until: number): void {
    entry.hiddenUntil = until;
    hidden.add(entry);
    if (until >= wakeAt) return;
    cancelWake();
    wakeAt = until;
    cancelWake = clock.at(until, release);
  }

  /** Brings back what was hidden until now. */
  function release(): void {
    const now = clock.now();
    if (now < wakeAt) return;
    cancelWake();
    wakeAt = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    const due: Entry[] = [];
    for (const entry of hidden) {
      if (entry.hiddenUntil <= now) due.push(entry);
      else next = Math.min(next, entry.hiddenUntil);
    }
    for (const entry of due.sort((a, b) => a.hiddenUntil - b.hiddenUntil || a.order - b.order)) reveal(entry);
    if (next < Number.POSITIVE_INFINITY) {
      wakeAt = next;
      cancelWake = clock.at(next, release);
    }
  }

  function reveal(entry: Entry): void {
    hidden.delete(entry);
    land(entry);
    offer(entry.lane);
  }

  function land(entry: Entry): void {
    if (entry.inFlight) entry.lane.inFlight--;
    entry.inFlight = false;
  }

  /** Makes a lane receivable when nothing of it is in flight and its first message is not hidden. */
  function offer(lane: Lane): void {
    const head = lane.entries[0];
    if (!head || lane.inFlight > 0 || hidden.has(head)) return;
    ready.add(lane);
    notify();
  }

  function add(entry: Omit<Entry, 'lane' | 'order' | 'inFlight' | 'hiddenUntil'>, delayMs: number): void {
    const key = (fifo ? entry.groupId : undefined) ?? entry.id;
    const lane = lanes.get(key) ?? { key, entries: [], inFlight: 0 };
    lanes.set(key, lane);
    const added: Entry = { ...entry, lane, order: nextOrder++, inFlight: false, hiddenUntil: 0 };
    lane.entries.push(added);
    byId.set(added.id, added);
    if (delayMs > 0) hide(added, clock.now() + delayMs);
    else offer(lane);
  }

  function remove(entry: Entry): void {
    const { lane } = entry;
    byId.delete(entry.id);
    hidden.delete(entry);
    land(entry);
    lane.entries.splice(lane.entries.indexOf(entry), 1);
    ready.delete(lane);
    if (lane.entries.length === 0) lanes.delete(lane.key);
    else offer(lane);
  }

  /** Whether the message is there to be received still; what is too old or was received too often goes. */
  function isAlive(entry: Entry): boolean {
    if (entry.sentAt + settings.retentionSeconds * 1000 <= clock.now()) {
      remove(entry);
      return false;
    }
    if (!redrive || entry.receiveCount < redrive.maxReceiveCount) return true;
    remove(entry);
    deadLetters(redrive.dlqArn).takeDead(shown(entry), arn);
    return false;
  }

  /** The entry that a receipt handle speaks of; undefined when it is gone or was received again since. */
  function held(receiptHandle: string): Entry | undefined {
    const id = Buffer.from(receiptHandle, 'base64url').toString().split(' ')[0] ?? '';
    if (!/^[0-9a-f-]{36}$/.test(id)) {
      throw new AwsError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.', 404);
    }
    release();
    const entry = byId.get(id);
    return entry?.handle === receiptHandle ? entry : undefined;
  }

  function take(entry: Entry, visibilitySeconds: number): ReceivedMessage {
    entry.receiveCount++;
    entry.firstReceivedAt ??= clock.now();
    entry.inFlight = true;
    entry.lane.inFlight++;
    const receiptHandle = Buffer.from(`${entry.id} ${entry.receiveCount} ${randomUUID()}`).toString(
      'base64url',
    );
    entry.handle = receiptHandle;
    if (visibilitySeconds > 0) hide(entry, clock.now() + visibilitySeconds * 1000);
    return { ...shown(entry), receiptHandle };
  }

  function shown(entry: Entry): QueuedMessage {
    const { lane: _lane, order: _order, inFlight, hiddenUntil: _until, handle: _handle, ...message } = entry;
    return { ...message, state: inFlight ? 'in flight' : hidden.has(entry) ? 'delayed' : 'visible' };
  }

  return {
    settings,
    arn,
    send(input) {
      checkMessage(settings, input);
      const deduplicationId = deduplicationIdOf(settings, input);
      const once =
        deduplicationId && settings.deduplicationScope === 'messageGroup'
          ? `${input.groupId} ${deduplicationId}`
          : deduplicationId;
      const now = clock.now();
      for (const [key, { at }] of sentBefore) {
        if (at + deduplicationMs > now) break;
        sentBefore.delete(key);
      }
      const twin = once === undefined ? undefined : sentBefore.get(once);
      if (twin) return twin;
      const id = randomUUID();
      const sequenceNumber = fifo ? String(nextOrder).padStart(20, '0') : undefined;
      if (once !== undefined) sentBefore.set(once, { at: now, id, sequenceNumber });
      const { body, groupId, attributes = {}, senderId = 'local' } = input;
      const delaySeconds = input.delaySeconds ?? settings.delaySeconds ?? 0;
      add(
        {
          id,
          body,
          attributes,
          groupId,
          deduplicationId,
          sequenceNumber,
          senderId,
          sentAt: now,
          receiveCount: 0,
        },
        delaySeconds * 1000,
      );
      return { id, sequenceNumber };
    },
    receive(max, visibilitySeconds = settings.visibilitySeconds) {
      release();
      const received: ReceivedMessage[] = [];
      for (const lane of ready) {
        for (const entry of [...lane.entries]) {
          if (received.length === max || hidden.has(entry)) break;
          if (isAlive(entry)) received.push(take(entry, visibilitySeconds));
        }
        if (lane.inFlight > 0) ready.delete(lane);
        if (received.length === max) break;
      }
      // Received to be seen again at once: back it goes.
      if (visibilitySeconds === 0)
        for (const { receiptHandle } of received) this.changeVisibility(receiptHandle, 0);
      return received;
    },
    delete(receiptHandle) {
      const entry = held(receiptHandle);
      if (entry && fifo && !entry.inFlight)
        throw invalid('ReceiptHandle', receiptHandle, 'The receipt handle has expired.');
      if (entry) remove(entry);
    },
    changeVisibility(receiptHandle, seconds) {
      checkVisibility(seconds);
      const entry = held(receiptHandle);
      if (!entry?.inFlight) throw new AwsError('MessageNotInflight', 'The message is not in flight.');
      if (seconds === 0) reveal(entry);
      else hide(entry, clock.now() + seconds * 1000);
    },
    purge() {
      for (const entry of [...byId.values()]) remove(entry);
    },
    depth() {
      release();
      let inFlight = 0;
      for (const lane of lanes.values()) inFlight += lane.inFlight;
      const delayed = hidden.size - inFlight;
      return { visible: byId.size - inFlight - delayed, inFlight, delayed };
    },
    messages() {
      release();
      return [...byId.values()].map(shown);
    },
    onAvailable(listener) {
      listeners.add(listener);
      if (ready.size > 0) notify();
      return () => listeners.delete(listener);
    },
    takeDead({ state: _, ...message }, sourceArn) {
      const sequenceNumber = fifo ? String(nextOrder).padStart(20, '0') : undefined;
      add(
        {
          ...message,
          sequenceNumber,
          receiveCount: 0,
          firstReceivedAt: undefined,
          deadLetterSourceArn: sourceArn,
        },
        0,
      );
    },
  };
}

function deduplicationIdOf(settings: QueueSettings, input: MessageInput): string | undefined {
  if (input.deduplicationId !== undefined || !settings.contentBasedDeduplication)
    return input.deduplicationId;
  return createHash('sha256').update(input.body).digest('hex');
}
