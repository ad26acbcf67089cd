/** A webhook receiver on a free port that records requests and answers by a given behaviour. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface ReceiverResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long the receiver takes. */
  readonly afterMs?: number;
}

/** The response to a request; `'hang'`: none. */
export type Behaviour = (request: ReceivedRequest, index: number) => ReceiverResponse | 'hang';

export interface Receiver {
  readonly url: string;
  /** In the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Requests that waited for their response at the same time, at most. */
  peakConcurrency(): number;
  /** Changes the behaviour. */
  answer(behaviour: Behaviour): void;
  /**
   * The first request, past or future, that matches `predicate`.
   *
   * @throws Error after a minute, with the requests that arrived
   */
  waitFor(predicate?: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest>;
}

const patienceMs = 60_000;

/** Starts a receiver that answers 200 by default and closes at the end of the test. */
export async function receiver(behaviour: Behaviour = () => ({})): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const listeners = new Set<() => void>();
  let behave = behaviour;
  let [open, peak] = [0, 0];
  const server = createServer(async (incoming, outgoing) => {
    open += 1;
    peak = Math.max(peak, open);
    outgoing.on('close', () => (open -= 1));
    const request = await readRequest(incoming);
    const answer = behave(request, requests.length);
    requests.push(request);
    for (const listener of listeners) listener();
    if (answer === 'hang') return;
    if (answer.afterMs !== undefined) await pause(answer.afterMs);
    outgoing.writeHead(answer.status ?? 200, answer.headers);
    outgoing.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    peakConcurrency: () => peak,
    answer: (next) => {
      behave = next;
    },
    waitFor: (predicate = () => true) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = requests.find(predicate);
          if (found) end(() => resolve(found));
        };
        const timer = setTimeout(() => {
          const arrived = requests.map(({ method, path, body }) => `${method} ${path} ${body}`).join('\n');
          end(() =>
            reject(new Error(`no such request within ${patienceMs / 1000} s; these arrived:\n${arrived}`)),
          );
        }, patienceMs);
        const end = (finish: () => void) => {
          clearTimeout(timer);
          listeners.delete(look);
          finish();
        };
        listeners.add(look);
        look();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : value,
  ]);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString(),
  };
}
