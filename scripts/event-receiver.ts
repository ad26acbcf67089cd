/** A webhook receiver of scripts: records event ids and answers 200, or 500 to the first request of each event. */
import { type Listening, listen } from './listen.ts';

/** Ids of the events that arrived, by `<email id> <event type>`. */
export type ReceivedEvents = ReadonlyMap<string, ReadonlySet<string>>;

export interface EventReceiver extends Pick<Listening, 'close'> {
  readonly url: string;
  readonly events: ReceivedEvents;
  /** Requests by event id. */
  readonly requests: ReadonlyMap<string, number>;
}

export async function startEventReceiver({ failsFirst = false } = {}): Promise<EventReceiver> {
  const events = new Map<string, Set<string>>();
  const requests = new Map<string, number>();
  const { origin, close } = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { id, type, data } = JSON.parse(body) as { id: string; type: string; data: { email_id: string } };
    const key = `${data.email_id} ${type}`;
    events.set(key, (events.get(key) ?? new Set()).add(id));
    const isFirst = !requests.has(id);
    requests.set(id, (requests.get(id) ?? 0) + 1);
    if (failsFirst && isFirst) response.statusCode = 500;
    response.end();
  });
  return { url: `${origin}/`, events, requests, close };
}
