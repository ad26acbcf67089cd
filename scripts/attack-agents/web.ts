/** The web addresses of a run: what the thief hears, and the webhooks of the agents. */
import { buffer } from 'node:stream/consumers';
import { listen } from '../listen.ts';

export interface HeardRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Web {
  readonly url: string;
  /** Requests below a path, in the order of arrival. */
  heard(path: string): readonly HeardRequest[];
  close(): void;
}

export async function openWeb(): Promise<Web> {
  const requests: (HeardRequest & { readonly path: string })[] = [];
  const { origin, close } = await listen(async (incoming, outgoing) => {
    const body = (await buffer(incoming)).toString();
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    requests.push({ path: incoming.url ?? '', headers: Object.fromEntries(headers), body });
    outgoing.writeHead(204).end();
  });
  return {
    url: origin,
    heard: (path) => requests.filter((one) => one.path.startsWith(path)),
    close,
  };
}
