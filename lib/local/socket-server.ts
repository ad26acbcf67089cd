/** The WebSocket API of a local cloud, on the port of the HTTP API, which starts before the deployment is known. */
import { localAccount } from './aws/service.ts';
import type { MovableClock } from './clock.ts';
import type { DeployedAccess } from './deployed-access.ts';
import { socketApiInvoking } from './service-principals.ts';
import type { LocalServices } from './services.ts';
import { homeRegion } from './startup.ts';
import { createSocketApi, type SocketApi, type Upgrade } from './websocket-api.ts';

export interface SocketServer {
  readonly upgrade: Upgrade;
  /** Serves an API from now on. @param api null: the deployment has none */
  serve(api: SocketApi | null): void;
  close(): void;
}

export function createSocketServer(
  { socketConnections: connections }: Pick<LocalServices, 'socketConnections'>,
  clock: MovableClock,
  { access, invoke }: Pick<DeployedAccess, 'access' | 'invoke'>,
): SocketServer {
  let served: ReturnType<typeof createSocketApi> | null = null;
  return {
    upgrade: (request, socket, head) => {
      if (served) served.upgrade(request, socket, head);
      else socket.destroy();
    },
    serve(api) {
      if (!api) return;
      const mayInvoke = (routeKey: string, functionArn: string) => {
        const route = { region: homeRegion, account: localAccount, routeKey, ...api };
        return access.serviceMay(socketApiInvoking(route), 'lambda:InvokeFunction', functionArn);
      };
      served = createSocketApi({ api, connections, clock, invoke, mayInvoke });
    },
    close: () => served?.close(),
  };
}
