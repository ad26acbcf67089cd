/**
 * The relay: sends the messages that changes were committed with (docs/decisions/0053-outbox-without-items.md). The work of some
 * takes it less than to send them: it publishes events and releases emails that need not wait
 * (docs/decisions/0060-the-relay-publishes-events.md).
 */
import type { PublishEvent, QueueMessage, ReleaseMail } from '../../core/queue-messages.ts';
import { describeError, logEvent } from '../../observability/log.ts';
import { type CommittedMessages, readOutboxRecord } from '../../storage/table/outbox.ts';
import { type ScheduledMessage, scheduleMessages } from './schedule-message.ts';

type Result = PromiseSettledResult<void>;
type Of<M> = ScheduledMessage & { readonly message: M };

/** Whether the work of a message is done. One that is not is to be sent, to its own message group or to that which is named. */
export type Relayed = boolean | { readonly group: string };

/** Does the work of messages. The results are in their order. */
type Work<M> = (messages: readonly M[]) => Promise<readonly PromiseSettledResult<Relayed>[]>;

/** The work that the relay does itself. */
export interface RelayWork {
  readonly publish: Work<PublishEvent>;
  readonly release: Work<ReleaseMail>;
}

const leaveAll = async (messages: readonly unknown[]) =>
  messages.map(() => ({ status: 'fulfilled', value: false }) as const);

/** The relay sends every message. */
export const noWork: RelayWork = { publish: leaveAll, release: leaveAll };

const done: Result = { status: 'fulfilled', value: undefined };

/**
 * Sends the messages of stream records; those of one queue together, since a call costs as much as one message. Repeated, it
 * sends them again; consumers are idempotent.
 *
 * @param images the `NewImage` of each record; undefined for a deletion
 * @returns the result of each record
 */
export async function relayOutbox(
  images: readonly (object | undefined)[],
  { publish, release }: RelayWork,
): Promise<readonly Result[]> {
  const changes = await Promise.allSettled(
    images.map(async (image) => (image ? readOutboxRecord(image) : null)),
  );
  return await resultsOf(changes, async (messages) => {
    const results = await Promise.all([
      send(messages.filter((message) => !isEvent(message) && !isNewEmail(message))),
      doOrSend(messages.filter(isEvent), publish),
      doOrSend(messages.filter(isNewEmail), release),
    ]);
    return new Map(results.flatMap((of) => [...of]));
  });
}

/** Sends the messages of changes to their queues. The results are in the order of `changes`. */
export async function sendMessages(changes: readonly CommittedMessages[]): Promise<readonly Result[]> {
  const read = changes.map((value) => ({ status: 'fulfilled', value }) as const);
  return await resultsOf(read, send);
}

type Results = ReadonlyMap<ScheduledMessage, Result>;

async function send(messages: readonly ScheduledMessage[]): Promise<Results> {
  const sent = await scheduleMessages(messages);
  return new Map(messages.map((message, at) => [message, sent[at] ?? done]));
}

/** @param relay returns the results of the messages that are sent */
async function resultsOf(
  changes: readonly PromiseSettledResult<CommittedMessages | null>[],
  relay: (messages: readonly ScheduledMessage[]) => Promise<Results>,
): Promise<readonly Result[]> {
  const messagesOf = changes.map((change) => (change.status === 'fulfilled' ? named(change.value) : []));
  const sent = await relay(messagesOf.flat());
  return changes.map((change, at) => {
    if (change.status === 'rejected') return change;
    const results = messagesOf[at]?.map((message) => sent.get(message) ?? done) ?? [];
    return results.find(({ status }) => status === 'rejected') ?? done;
  });
}

function named(change: CommittedMessages | null): ScheduledMessage[] {
  if (!change) return [];
  return change.messages.map((message, index) => ({ ...message, name: `${change.id}-${index}` }));
}

/** Messages of a kind that are not due later. */
function isOf<K extends QueueMessage['kind']>(kind: K) {
  return (message: ScheduledMessage): message is Of<Extract<QueueMessage, { kind: K }>> =>
    message.message.kind === kind && message.dueAt === undefined;
}

const isEvent = isOf('publish-event');
const isNewEmail = isOf('release-mail');

/** Does the work of messages, and sends those whose work is not done: their queues keep them apart from the records behind them. */
async function doOrSend<M extends QueueMessage>(messages: readonly Of<M>[], work: Work<M>): Promise<Results> {
  const results = await work(messages.map(({ message }) => message));
  const left = messages.flatMap((message, at) => {
    const result = results[at];
    if (result?.status === 'fulfilled') {
      return result.value === true ? [] : { message, ...result.value };
    }
    logEvent('relay.work_failed', { kind: message.message.kind, error: describeError(result?.reason) });
    return { message };
  });
  const sent = await scheduleMessages(left.map(({ message, ...group }) => ({ ...message, ...group })));
  return new Map(left.map(({ message }, at) => [message, sent[at] ?? done]));
}
