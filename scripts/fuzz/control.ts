/** What the control routes of a local cloud say about queues and logs. */
import type { FuzzCloud } from './tenant.ts';

/** A message that a queue still holds although nothing is running. */
export interface StuckMessage {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  readonly receiveCount: number;
}

interface Listed {
  readonly data: readonly {
    readonly id: string;
    readonly body: string;
    readonly receiveCount: number;
    readonly state: string;
  }[];
}

/** Messages in dead-letter queues, and messages that failed and wait for their next attempt; not delayed messages. */
export async function stuckMessages({ controlUrl }: FuzzCloud): Promise<StuckMessage[]> {
  const queues = await get<Record<string, { visible: number; inFlight: number }>>(`${controlUrl}/queues`);
  const held = Object.entries(queues).filter(([, { visible, inFlight }]) => visible + inFlight > 0);
  const messages = held.map(async ([queue]) => {
    const { data } = await get<Listed>(`${controlUrl}/queues/${queue}/messages`);
    return data
      .filter(({ state }) => state !== 'delayed')
      .map(({ id, body, receiveCount }) => ({ id, queue, body, receiveCount }));
  });
  return (await Promise.all(messages)).flat();
}

/** Log event of a received message that was dropped, or where AWS would lose its notification. */
export type DropEvent = `inbound.dropped.${string}` | typeof refusedNotification;

/** SQS takes XML characters only; a header may have others (docs/local-cloud.md#sns). */
const refusedNotification = 'notification refused by SQS';

/** Why received messages were dropped, by SES's id. */
export async function droppedMail({ controlUrl }: FuzzCloud): Promise<Map<string, DropEvent>> {
  const { data } = await get<{ data: readonly { text: string }[] }>(`${controlUrl}/logs`);
  const dropped = new Map<string, DropEvent>();
  for (const { text } of data) {
    const reason = /"inbound\.dropped\.(\w+)"/.exec(text)?.[1];
    const sesId = /"ses_id":"([a-z0-9]+)"/.exec(text)?.[1];
    if (reason && sesId) dropped.set(sesId, `inbound.dropped.${reason}`);
    const [, refused] =
      /notification of message (\S+): The message contains characters outside/.exec(text) ?? [];
    if (refused) dropped.set(refused, refusedNotification);
  }
  return dropped;
}

async function get<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  return (await response.json()) as T;
}
