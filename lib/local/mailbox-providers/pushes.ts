/** HTTP POST of push notifications: one after the other for each URL, with retries on the local clock. */
import type { LocalClock } from '../aws/service.ts';
import type { BackgroundTask } from '../background-task.ts';
import { createGate, type Gate } from '../gate.ts';

export interface Push {
  readonly url: string;
  readonly body: string;
  /** Made for each attempt: a token in it has a time. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** For tests: the address of the mailbox. */
  readonly account: string;
}

export interface PushRules {
  /** Whether a status acknowledges a push. */
  readonly isAcknowledged: (status: number) => boolean;
  /** Milliseconds to the next attempt after a number of attempts; null: the push is given up. */
  readonly retryMs: (attempts: number) => number | null;
}

export interface Pushes extends BackgroundTask {
  readonly gate: Pick<Gate<Push>, 'hold' | 'release' | 'drop' | 'held'>;
  send(push: Push): void;
  /** Resolves when no push is on its way; retries that are due later do not count. */
  idle(): Promise<void>;
}

/** Real time until an attempt fails ("Push subscriptions", Pub/Sub: the acknowledgement deadline; Graph: 3 seconds for most). */
const timeoutMs = 10_000;

export function createPushes(
  clock: Pick<LocalClock, 'at' | 'now'>,
  { isAcknowledged, retryMs }: PushRules,
  onProgress: () => void,
): Pushes {
  /** The last attempt of each URL. */
  const queues = new Map<string, Promise<void>>();
  const closing = new AbortController();
  let running = 0;

  const attempt = async (push: Push, attempts: number): Promise<void> => {
    const status = await fetch(push.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await push.headers()) },
      body: push.body,
      redirect: 'manual',
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (isAcknowledged(status) || closing.signal.aborted) return;
    const delayMs = retryMs(attempts);
    if (delayMs !== null) clock.at(clock.now() + delayMs, () => enqueue(push, attempts + 1));
  };
  const enqueue = (push: Push, attempts: number) => {
    running += 1;
    const done: Promise<void> = (queues.get(push.url) ?? Promise.resolve())
      .then(() => attempt(push, attempts))
      .finally(() => {
        running -= 1;
        if (queues.get(push.url) === done) queues.delete(push.url);
        onProgress();
      });
    queues.set(push.url, done);
  };
  const gate = createGate((push: Push) => enqueue(push, 1));

  return {
    gate,
    send: gate.pass,
    idle: async () => {
      while (queues.size > 0) await Promise.all(queues.values());
    },
    pendingWork: () => (running > 0 ? `${running} pushes of mailbox providers` : null),
    close: async () => {
      closing.abort();
      await Promise.allSettled(queues.values());
    },
  };
}
