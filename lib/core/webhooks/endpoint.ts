/** Webhook endpoints and their signing secrets (docs/concepts/webhooks.md#endpoints). */
import type { EndpointId, WorkspaceId } from '../ids.ts';
import type { EventType } from './event-types.ts';
import type { IncludedPart } from './included.ts';
import type { RoutingRule } from './routing.ts';

/** Formats of webhook bodies. `v1` is for endpoints of the previous API version. */
export const endpointFormats = ['v1', 'v2'] as const;

/** What an endpoint of format `v1` calls clicks: `outbound.email.<one of these>`. Client libraries of version 1 know the second. */
export const clickEvents = ['link_clicked', 'clicked'] as const;
export type ClickEvent = (typeof clickEvents)[number];

export interface Endpoint {
  readonly id: EndpointId;
  readonly url: string;
  /** A disabled endpoint receives nothing; events of that time are not kept for it. */
  readonly enabled: boolean;
  readonly format: (typeof endpointFormats)[number];
  /** Of no account with the format `v2`. */
  readonly clickEvent: ClickEvent;
  readonly subscriptions: readonly EventType[];
  readonly routing: readonly RoutingRule[];
  readonly maxConcurrency: number;
  /** Content that `email.received` carries; none of endpoints of format `v1`. */
  readonly include: readonly IncludedPart[];
  /** Failed attempts since the last success; counted for the format `v1`, which pauses an endpoint after some. */
  readonly consecutiveFailures: number;
  /** End of the grace period in which the previous secret also signs; null outside of it. */
  readonly previousSecretExpiresAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An endpoint and the workspace that it belongs to. */
export interface EndpointRef {
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
}

/** Settings of an endpoint that clients write. */
export type EndpointSettings = Pick<
  Endpoint,
  'url' | 'enabled' | 'subscriptions' | 'routing' | 'maxConcurrency'
>;

/** A change of an endpoint; absent properties stay as they are. */
export type EndpointChange = {
  readonly [Name in keyof EndpointSettings | 'clickEvent' | 'include']?: Endpoint[Name] | undefined;
};

/** The signing secrets of an endpoint, each sealed under KMS. */
export interface EndpointSecrets {
  /** null: requests are not signed, which only the format `v1` allows. */
  readonly current: string | null;
  readonly previous: { readonly sealed: string; readonly expiresAt: number } | null;
}

/** The sealed secrets that sign at `atMs`: the current one, and during the grace period of a rotation the previous one. */
export function activeSecrets({ current, previous }: EndpointSecrets, atMs: number): string[] {
  const isInGrace = previous !== null && atMs < previous.expiresAt;
  return [current, isInGrace ? previous.sealed : null].filter((sealed) => sealed !== null);
}

/**
 * The secrets after a rotation. The secret that was current signs until the end of the grace period; the one before it
 * ends at once.
 */
export function rotatedSecrets(
  before: EndpointSecrets,
  sealed: string,
  graceSeconds: number,
  atMs: number,
): EndpointSecrets {
  const hasGrace = before.current !== null && graceSeconds > 0;
  return {
    current: sealed,
    previous: hasGrace ? { sealed: before.current, expiresAt: atMs + graceSeconds * 1000 } : null,
  };
}
