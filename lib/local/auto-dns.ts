/** Publishes the records of new domains below `.test`, as their owner would, so that `verify` has something to find. */
import type { Route } from './api.ts';
import type { LocalDns } from './dns/server.ts';
import type { RecordType } from './dns/zone.ts';
import type { HttpResponse } from './http-server.ts';

interface DomainAnswer {
  readonly name?: string;
  readonly records?: readonly {
    readonly type: string;
    readonly name: string;
    readonly value: string;
    readonly priority?: number | null;
  }[];
}

/** Looks at an answer of the API; the one to the creation of a domain carries its records. */
export function autoDns(dns: Pick<LocalDns, 'publish'>, route: Route, answer: HttpResponse): void {
  if (route.method !== 'POST' || route.path !== '/api/v2/domains' || answer.statusCode !== 201) return;
  const { name, records = [] }: DomainAnswer = JSON.parse(answer.body.toString());
  if (!name?.endsWith('.test')) return;
  for (const { type, name: at, value, priority = null } of records) {
    dns.publish({ type: type as RecordType, name: at, value, priority });
  }
}
