/** Helpers of the fault tests: a sender with an endpoint, faults in AWS calls, queues, and the clock. */

import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { onTestFinished } from 'vitest';
import { env } from '../../lib/env.ts';
import { api } from '../support/api.ts';
import { recordedCalls } from '../support/calls.ts';
import { cloud } from '../support/cloud.ts';
import { type Receiver, receiver } from '../support/receiver.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

export type WorkerName =
  | 'send-mail'
  | 'relay'
  | 'count-usage'
  | 'pace-mail'
  | 'forward-delayed'
  | 'provider-event'
  | 'receive-mail'
  | 'publish-event'
  | 'deliver-webhook'
  | 'run-task'
  | 'sweep'
  | 'sync-mailbox'
  | 'receive-mailbox-mail'
  | 'send-mailbox-mail';

/** The role that a worker signs as. */
export const roleOfWorker = (name: WorkerName): string => `parley-worker-${name}`;

export interface Fault {
  readonly kind: 'throttle' | 'error' | 'timeout-after' | 'drop-before' | 'kill-before' | 'kill-after';
  readonly worker?: WorkerName;
  /** Name of the function whose calls fail, when it is no worker. */
  readonly principal?: string;
  readonly service?: string;
  readonly action?: string;
  readonly match?: string;
  readonly skip?: number;
  readonly times?: number;
  readonly code?: string;
  readonly message?: string;
  readonly status?: number;
}

/** Adds a fault to AWS calls; to any call without `service` and `action`. Returns its id. */
export async function inject({ worker, ...fault }: Fault): Promise<string> {
  const { id } = await cloud().control<{ id: string }>('POST', '/faults', {
    service: '*',
    action: '*',
    ...fault,
    ...(worker && { principal: roleOfWorker(worker) }),
  });
  return id;
}

export async function removeFault(id: string): Promise<void> {
  await cloud().control('DELETE', `/faults/${id}`);
}

export async function clearFaults(): Promise<void> {
  await cloud().control('DELETE', '/faults');
}

/** Keeps the worker that sweeps each minute from doing anything until the test ends; the test sweeps itself. */
export async function holdSweep(): Promise<void> {
  onTestFinished(clearFaults);
  await inject({
    worker: 'sweep',
    kind: 'error',
    service: 'dynamodb',
    action: 'Query',
    code: 'ValidationException',
    status: 400,
    times: 1000,
  });
}

/** How many AWS calls each worker makes during `flow`, up to quiescence. */
export async function callsDuring(flow: () => Promise<unknown>): Promise<(worker: WorkerName) => number> {
  const calls = await recordedCalls(flow);
  return (worker) => calls.filter(({ principal }) => principal.split('~')[0] === roleOfWorker(worker)).length;
}

/**
 * Every point at which a worker can be killed during `calls` calls: before the first call, and after each. "Before the
 * next call" is the same point as "after this one".
 */
export function killPoints(worker: WorkerName, calls: number): Fault[] {
  const after = Array.from({ length: calls }, (_, skip): Fault => ({ worker, kind: 'kill-after', skip }));
  return [{ worker, kind: 'kill-before' }, ...after];
}

/** Runs `flow` up to quiescence while a fault is active. */
export async function withFault<T>(fault: Fault, flow: () => Promise<T>): Promise<T> {
  await inject(fault);
  const result = await flow();
  await cloud().waitForQuiescence();
  await clearFaults();
  return result;
}

interface Depth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/** Depths of the queues that are not empty. */
export async function waitingQueues(): Promise<Record<string, number>> {
  const queues = await cloud().control<Record<string, Depth>>('GET', '/queues');
  const depths = Object.entries(queues).map(
    ([name, { visible, inFlight, delayed }]) => [name, visible + inFlight + delayed] as const,
  );
  return Object.fromEntries(depths.filter(([, count]) => count > 0));
}

/** Messages in all dead-letter queues, those of other files too. */
export async function deadLetters(): Promise<number> {
  const waiting = Object.entries(await waitingQueues());
  return waiting.reduce((sum, [name, count]) => sum + (/dead-letters|undelivered/.test(name) ? count : 0), 0);
}

/** Advances the clock until all queues but dead-letter queues are empty. */
export async function untilDone(stepSeconds = 600): Promise<void> {
  for (let steps = 0; steps < 50; steps++) {
    await cloud().waitForQuiescence();
    const open = Object.keys(await waitingQueues()).filter((name) => !/dead-letters|undelivered/.test(name));
    if (open.length === 0) return;
    await cloud().advance(stepSeconds);
  }
  throw new Error(
    `messages are still queued after ${50 * stepSeconds} s: ${JSON.stringify(await waitingQueues())}`,
  );
}

/** An email as GET /emails/{email_id} answers it. */
export interface EmailBody {
  readonly id: string;
  readonly thread_id: string;
  readonly status: string;
  readonly message_id: string;
  readonly wire_message_ids: readonly string[];
  readonly events: readonly {
    readonly type: string;
    readonly at: string;
    readonly recipients: readonly string[];
    readonly detail: string | null;
  }[];
}

export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly email_id?: string; readonly thread_id?: string };
}

/** A workspace that sends, with a webhook endpoint. */
export interface Sender {
  readonly own: TestWorkspace;
  readonly from: string;
  readonly receiver: Receiver;
  /** Sends to up to 300 recipients, spread over To, Cc and Bcc. */
  send(recipients: readonly string[], more?: Readonly<Record<string, unknown>>): Promise<EmailBody>;
  read(id: string): Promise<EmailBody>;
  thread(id: string): Promise<Readonly<Record<string, unknown>>>;
  /** Events of an email that the endpoint received, without repeated deliveries. */
  receivedEvents(emailId: string): DeliveredEvent[];
}

/** @param subscribes whether the endpoint subscribes to events; deliveries take time */
export async function newSender({ subscribes = true } = {}): Promise<Sender> {
  const own = await workspace();
  const hook = await receiver();
  const client = api(own);
  const from = `hi@${own.providedDomain}`;
  if (subscribes) await client.post('/webhook-endpoints', { url: hook.url, subscriptions });
  return {
    own,
    from,
    receiver: hook,
    async send(recipients, more = {}) {
      const { status, body } = await client.post<EmailBody>('/emails', {
        from,
        to: recipients.slice(0, 100),
        cc: recipients.slice(100, 200),
        bcc: recipients.slice(200),
        subject: 'Hello',
        text: 'Hi',
        ...more,
      });
      if (status !== 201) throw new Error(`send answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    async read(id) {
      return (await client.get<EmailBody>(`/emails/${id}`)).body;
    },
    async thread(id) {
      return (await client.get(`/threads/${id}`)).body;
    },
    receivedEvents(emailId) {
      const events = hook.requests.map(({ body }) => JSON.parse(body) as DeliveredEvent);
      const byId = new Map(events.map((event) => [event.id, event]));
      return [...byId.values()].filter(({ data }) => data.email_id === emailId);
    },
  };
}

/** Types of the events that the endpoint received for an email, sorted. */
export function eventsFor(sender: Sender, emailId: string): string[] {
  return sender
    .receivedEvents(emailId)
    .map(({ type }) => type)
    .sort();
}

const subscriptions = [
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.failed',
  'email.opened',
  'email.clicked',
  'email.received',
  'thread.created',
];

/** Distinct addresses at an external domain. */
export function addresses(tag: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${tag}-${at}@people.example.test`);
}

/** How many copies SES accepted for each recipient of an email. */
export async function copiesOf(emailId: string): Promise<Map<string, number>> {
  const { data } = await cloud().control<{ data: { tags: { email_id?: string }; recipients: string[] }[] }>(
    'GET',
    '/sent',
  );
  const copies = new Map<string, number>();
  for (const { tags, recipients } of data) {
    if (tags.email_id !== emailId) continue;
    for (const one of recipients) copies.set(one, (copies.get(one) ?? 0) + 1);
  }
  return copies;
}

/** An SQS client with the permissions of the administrator. */
export function sqsClient(): SQSClient {
  const { environment, gatewayUrl } = cloud();
  return new SQSClient({
    endpoint: gatewayUrl,
    region: environment.AWS_REGION ?? '',
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
    },
  });
}

/** Sends a message to a queue: a poison message, or a copy of one that was delivered. */
export async function put(queue: string, body: string): Promise<void> {
  const urls: Readonly<Record<string, string>> = env().QUEUE_URLS;
  await sqsClient().send(new SendMessageCommand({ QueueUrl: urls[queue], MessageBody: body }));
}
