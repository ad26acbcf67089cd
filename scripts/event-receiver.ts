/** A webhook receiver of scripts: records event ids and answers 200. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Ids of the events that arrived, by `<email id> <event type>`. */
export type ReceivedEvents = ReadonlyMap<string, ReadonlySet<string>>;

export interface EventReceiver {
  readonly url: string;
  readonly events: ReceivedEvents;
  close(): void;
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const events = new Map<string, Set<string>>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { id, type, data } = JSON.parse(body) as { id: string; type: string; data: { email_id: string } };
    const key = `${data.email_id} ${type}`;
    events.set(key, (events.get(key) ?? new Set()).add(id));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    events,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
