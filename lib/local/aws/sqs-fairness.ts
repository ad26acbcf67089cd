/**
 * Fair queues: whose messages a standard queue delivers first ("How Amazon SQS fair queues work", SQS developer guide).
 * A tenant is a message group. Pure functions of the consumer capacity that a tenant and its queue use.
 */

/** Consumer capacity in use, of a tenant or of a whole queue. */
export interface Load {
  readonly inFlight: number;
  /** Recent processing time at `changedAt`: milliseconds that messages were in flight, the older the less they count. */
  readonly processingMs: number;
  /** When `inFlight` changed last, Unix milliseconds. */
  readonly changedAt: number;
}

/** What the choice of the next message needs to know of a tenant with waiting messages. */
export interface WaitingTenant {
  readonly isNoisy: boolean;
  readonly inFlight: number;
  /** Position of the tenant's first waiting message in the queue. */
  readonly position: number;
}

/** Shares above which a tenant is noisy, and the messages of its own in flight that the first share takes. */
export const noisyAbove = { inFlightShare: 0.1, inFlightLeast: 30, processingShare: 0.1 };

/** A tenant with nothing in flight for this long is quiet. */
export const quietAfterMs = 300_000;

/** Processing time counts half after this long. AWS says "recent" without a number. */
const halfLifeMs = 60_000;

export const noLoad: Load = { inFlight: 0, processingMs: 0, changedAt: 0 };

/** The load after `change` messages went in flight, or came back when negative. */
export function changeLoad(load: Load, change: number, nowMs: number): Load {
  const inFlight = load.inFlight + change;
  return { inFlight, processingMs: processingAt(load, nowMs), changedAt: nowMs };
}

/** Whether a tenant is a noisy neighbor in its queue. A tenant that waits alone is one too, which changes nothing. */
export function isNoisy(tenant: Load, queue: Load, nowMs: number): boolean {
  const { inFlightShare, inFlightLeast, processingShare } = noisyAbove;
  if (tenant.inFlight >= inFlightLeast && tenant.inFlight > queue.inFlight * inFlightShare) return true;
  return processingAt(tenant, nowMs) > processingAt(queue, nowMs) * processingShare;
}

/** Quiet tenants by position, then noisy ones by messages in flight. For `sort`. */
export function compareTenants(a: WaitingTenant, b: WaitingTenant): number {
  if (a.isNoisy !== b.isNoisy) return a.isNoisy ? 1 : -1;
  return (a.isNoisy ? a.inFlight - b.inFlight : 0) || a.position - b.position;
}

/** The integral of the messages in flight, under exponential decay. */
function processingAt({ inFlight, processingMs, changedAt }: Load, nowMs: number): number {
  const elapsedMs = nowMs - changedAt;
  if (inFlight === 0 && elapsedMs >= quietAfterMs) return 0;
  const kept = 0.5 ** (elapsedMs / halfLifeMs);
  return processingMs * kept + (inFlight * halfLifeMs * (1 - kept)) / Math.LN2;
}
