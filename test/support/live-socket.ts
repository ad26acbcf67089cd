/** A client of live events in tests: a WebSocket whose messages are kept, with waits for what is to come. */

import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type Api, api } from './api.ts';
import type { TestWorkspace } from './workspace.ts';

/** A message of the server. */
export interface Frame {
  readonly type: string;
  readonly after?: string | null;
  readonly code?: string;
  readonly id?: string;
  readonly event?: {
    readonly id: string;
    readonly type: string;
    readonly space_id: string | null;
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly problem?: { readonly code: string; readonly status: number; readonly issues?: readonly unknown[] };
}

export interface LiveSocket {
  /** Oldest first. */
  readonly frames: readonly Frame[];
  readonly events: readonly NonNullable<Frame['event']>[];
  send(message: unknown): void;
  /** Waits for the first frame that passes, among those that have come, too. */
  until(passes: (frame: Frame) => boolean): Promise<Frame>;
  /** Sends a subscription and waits for its beginning. */
  subscribe(filters?: object): Promise<Frame>;
  /** Waits until the server has closed the connection. @returns the close code */
  readonly closed: Promise<number>;
  close(): void;
}

/** A URL with a ticket. */
export async function liveUrl(client: Api): Promise<string> {
  const { status, body } = await client.post<{ url: string }>('/live');
  expect(status).toBe(201);
  return body.url;
}

/** Opens a connection; it ends with the test. @returns the status of a refusal */
export async function openSocket(url: string): Promise<LiveSocket | number> {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  const frames: Frame[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    for (const wake of waiting.splice(0)) wake();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const refused = await new Promise<number | null>((resolve, reject) => {
    socket.on('open', () => resolve(null));
    socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
    socket.on('error', reject);
  });
  if (refused !== null) return refused;
  const send = (message: unknown) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  const until = async (passes: (frame: Frame) => boolean): Promise<Frame> => {
    for (;;) {
      const found = frames.find(passes);
      if (found) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return {
    frames,
    get events() {
      return frames.flatMap(({ event }) => event ?? []);
    },
    send,
    until,
    async subscribe(filters = {}) {
      const before = frames.length;
      send({ action: 'subscribe', ...filters });
      return await until((frame) => frames.indexOf(frame) >= before && frame.type === 'subscribed');
    },
    closed,
    close: () => socket.close(),
  };
}

/** A connection of a workspace's full key. */
export async function connected(caller: TestWorkspace | string): Promise<LiveSocket> {
  const opened = await openSocket(await liveUrl(api(caller)));
  if (typeof opened === 'number') throw new Error(`refused with ${opened}`);
  return opened;
}
