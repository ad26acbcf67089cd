/** One SQS queue: send, receive, visibility, receive counts and redrive, on the local clock. */
import { randomUUID } from 'node:crypto';
import { generousLimits } from '../limits.ts';
import { AwsError, type LocalClock } from './service.ts';
import { createDeduplication } from './sqs-deduplication.ts';
import {
  createMessageStore,
  type KeptMessages,
  type MessageStore,
  type StoredMessage,
} from './sqs-message-store.ts';
import { checkMessage, checkVisibility, invalid } from './sqs-rules.ts';
import type { Queue, QueuedMessage, QueueSettings, ReceivedMessage } from './sqs-types.ts';

interface QueueOptions {
  readonly arn: string;
  readonly clock: LocalClock;
  /** Finds the target of the redrive policy by ARN. */
  readonly deadLetterQueue: (arn: string) => Queue;
  /** Messages of a FIFO queue that are searched for available groups; default: SQS's. */
  readonly fifoSearchDepth?: number | undefined;
  /** Messages that outlive the process; default: none do. */
  readonly kept?: KeptMessages | undefined;
}

export function createQueue(settings: QueueSettings, options: QueueOptions): Queue {
  const { fifo } = settings;
  const { arn, clock, deadLetterQueue, kept } = options;
  const { fifoSearchDepth = generousLimits.sqs.fifoSearchDepth } = options;
  const store = createMessageStore(fifo, clock, kept);
  const deduplication = createDeduplication(settings);
  const receiver = createReceiver({ settings, arn, clock, store, deadLetterQueue, fifoSearchDepth });
  const sequenceNumber = () => (fifo ? String(store.nextOrder()).padStart(20, '0') : undefined);

  return {
    settings,
    arn,
    send(input) {
      checkMessage(settings, input);
      const now = clock.now();
      const earlier = deduplication.find(input, now);
      if (earlier) return earlier;
      const sent = { id: randomUUID(), sequenceNumber: sequenceNumber() };
      deduplication.remember(input, sent, now);
      const { body, groupId, attributes = {}, senderId = 'local', traceHeader } = input;
      const delaySeconds = input.delaySeconds ?? settings.delaySeconds ?? 0;
      const deduplicationId = deduplication.idOf(input);
      store.add(
        {
          ...sent,
          body,
          attributes,
          groupId,
          deduplicationId,
          senderId,
          traceHeader,
          sentAt: now,
          receiveCount: 0,
        },
        delaySeconds * 1000,
      );
      return sent;
    },
    receive: receiver.receive,
    delete(receiptHandle) {
      const message = receiver.find(receiptHandle);
      if (message && fifo && !message.isInFlight)
        throw invalid('ReceiptHandle', receiptHandle, 'The receipt handle has expired.');
      if (message) store.remove(message);
    },
    changeVisibility: receiver.changeVisibility,
    depth() {
      store.releaseDue();
      const { total, inFlight, hidden } = store.counts();
      const delayed = hidden - inFlight;
      return { visible: total - inFlight - delayed, inFlight, delayed };
    },
    messages() {
      store.releaseDue();
      return store.all().map((message) => snapshot(message, store));
    },
    onAvailable: store.onAvailable,
    receiveDeadLetter({ state: _, ...message }, deadLetterSourceArn) {
      const fresh = { receiveCount: 0, firstReceivedAt: undefined, sequenceNumber: sequenceNumber() };
      store.add({ ...message, ...fresh, deadLetterSourceArn }, 0);
    },
  };
}

/** The receiving side of a queue: receipt handles, visibility timeouts, retention and redrive. */
function createReceiver(options: {
  settings: QueueSettings;
  arn: string;
  clock: LocalClock;
  store: MessageStore;
  deadLetterQueue: (arn: string) => Queue;
  fifoSearchDepth: number;
}) {
  const { settings, clock, store } = options;
  const { redrive } = settings;

  /** Whether a message may be received; removes an expired one and moves one received too often. */
  function isReceivable(message: StoredMessage): boolean {
    if (message.sentAt + settings.retentionSeconds * 1000 <= clock.now()) {
      store.remove(message);
      return false;
    }
    if (!redrive || message.receiveCount < redrive.maxReceiveCount) return true;
    options.deadLetterQueue(redrive.dlqArn).receiveDeadLetter(snapshot(message, store), options.arn);
    store.remove(message);
    return false;
  }

  function take(message: StoredMessage, visibilitySeconds: number, now: number): ReceivedMessage {
    message.receiveCount++;
    message.firstReceivedAt ??= now;
    store.startFlight(message);
    const receiptHandle = Buffer.from(`${message.id} ${message.receiveCount} ${randomUUID()}`).toString(
      'base64url',
    );
    message.receiptHandle = receiptHandle;
    if (visibilitySeconds > 0) store.hide(message, now + visibilitySeconds * 1000);
    return { ...snapshot(message, store), receiptHandle };
  }

  /** The message of a receipt handle; undefined when it was deleted or received again. */
  function find(receiptHandle: string): StoredMessage | undefined {
    const id = Buffer.from(receiptHandle, 'base64url').toString().split(' ')[0] ?? '';
    if (!/^[0-9a-f-]{36}$/.test(id)) {
      throw new AwsError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.', 404);
    }
    store.releaseDue();
    const message = store.get(id);
    return message?.receiptHandle === receiptHandle ? message : undefined;
  }

  function changeVisibility(receiptHandle: string, seconds: number): void {
    checkVisibility(seconds);
    const message = find(receiptHandle);
    if (!message?.isInFlight) throw new AwsError('MessageNotInflight', 'The message is not in flight.');
    if (seconds === 0) store.makeVisible(message);
    else store.hide(message, clock.now() + seconds * 1000);
  }

  function receive(max: number, visibilitySeconds = settings.visibilitySeconds): ReceivedMessage[] {
    store.releaseDue();
    // One time for all: messages received together become visible together.
    const now = clock.now();
    const received: ReceivedMessage[] = [];
    const lastSearched = settings.fifo ? store.orderAt(options.fifoSearchDepth) : null;
    for (const group of store.available) {
      // A backlog of one group hides the groups behind it.
      if (lastSearched !== null && (group.messages[0]?.order ?? 0) > lastSearched) continue;
      for (const message of [...group.messages]) {
        if (received.length === max || store.isHidden(message)) break;
        if (isReceivable(message)) received.push(take(message, visibilitySeconds, now));
      }
      if (group.inFlight > 0) store.withdraw(group);
      if (received.length === max) break;
    }
    // A visibility timeout of 0 makes the messages receivable again at once.
    if (visibilitySeconds === 0) for (const { receiptHandle } of received) changeVisibility(receiptHandle, 0);
    return received;
  }

  return { receive, find, changeVisibility };
}

function snapshot(message: StoredMessage, store: MessageStore): QueuedMessage {
  const {
    group: _group,
    order: _order,
    isInFlight,
    hiddenUntil: _until,
    receiptHandle: _handle,
    ...rest
  } = message;
  return { ...rest, state: isInFlight ? 'in flight' : store.isHidden(message) ? 'delayed' : 'visible' };
}
