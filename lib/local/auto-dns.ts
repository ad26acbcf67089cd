/** Publishes the DNS records of new domains below `.test`, so that `verify` succeeds without a manual step. */
import type { Route } from './api.ts';
import type { LocalDns } from './dns/server.ts';
import type { RecordType } from './dns/zone.ts';
import type { HttpResponse } from './http-server.ts';

/** Of version 2, or of version 1. */
interface DomainResponse {
  readonly records?: readonly {
    readonly type: string;
    readonly name: string;
    readonly value: string;
    readonly priority?: number | null;
  }[];
}

/** Publishes the records that a response to `POST /domains` contains. */
export function autoDns(dns: Pick<LocalDns, 'publish'>, route: Route, response: HttpResponse): void {
  const isCreation = route.method === 'POST' && /^\/api\/v[12]\/domains$/.test(route.path ?? '');
  if (!isCreation || response.statusCode >= 300) return;
  const { records = [] }: DomainResponse = JSON.parse(response.body.toString());
  if (!records.every(({ name }) => name.endsWith('.test'))) return;
  for (const { type, name: at, value, priority = null } of records) {
    dns.publish({ type: type as RecordType, name: at, value, priority });
  }
}
