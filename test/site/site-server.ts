/** The documentation site on a port of its own, by the handler of its function. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { siteFolder } from '../../lib/constructs/site.ts';
import { serveSite } from '../../lib/http/pages/site.ts';
import { context, gatewayEvent, urls } from '../http/gateway.ts';

export interface SiteServer {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  close(): Promise<void>;
}

export async function startSite(): Promise<SiteServer> {
  const handler = serveSite('site', join(siteFolder('Parley'), 'site'), urls);
  const server = createServer((request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const path = (request.url ?? '').split('?')[0] ?? '';
    void handler(gatewayEvent({ method: request.method ?? 'GET', path, headers }), context).then((answer) => {
      const body = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8');
      response.writeHead(answer.statusCode ?? 200, answer.headers as Record<string, string>).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
