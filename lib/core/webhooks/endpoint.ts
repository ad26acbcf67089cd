/** What a webhook endpoint is (contract, section 7), and what signs for it. */
import type { EndpointId } from '../ids.ts';
import type { EventType } from './event-types.ts';
import type { RoutingRule } from './routing.ts';

/** `v1`: carried over from the earlier interface, with its bodies. */
export const endpointFormats = ['v1', 'v2'] as const;

export interface Endpoint {
  readonly id: EndpointId;
  readonly url: string;
  /** A disabled endpoint receives nothing, and events meanwhile are not kept for it. */
  readonly enabled: boolean;
  readonly format: (typeof endpointFormats)[number];
  readonly subscriptions: readonly EventType[];
  readonly routing: readonly RoutingRule[];
  readonly maxConcurrency: number;
  /** End of the grace in which the secret before the current one signs too; null outside of it. */
  readonly previousSecretExpiresAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What the owner of an endpoint sets. */
export type EndpointSettings = Pick<
  Endpoint,
  'url' | 'enabled' | 'subscriptions' | 'routing' | 'maxConcurrency'
>;

/** The secrets of an endpoint, each sealed. */
export interface EndpointSecrets {
  readonly current: string;
  readonly previous: { readonly sealed: string; readonly expiresAt: number } | null;
}

/** The sealed secrets that sign at `atMs`: the current one, and during a rotation's grace the one before it. */
export function activeSecrets({ current, previous }: EndpointSecrets, atMs: number): string[] {
  return previous && atMs < previous.expiresAt ? [current, previous.sealed] : [current];
}
