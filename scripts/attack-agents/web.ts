/** The web addresses of a run: what the thief hears, and the webhooks of the agents. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

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
  const server = createServer(async (incoming, outgoing) => {
    const body = (await buffer(incoming)).toString();
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    requests.push({ path: incoming.url ?? '', headers: Object.fromEntries(headers), body });
    outgoing.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: (path) => requests.filter((one) => one.path.startsWith(path)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
