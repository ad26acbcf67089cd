/** Records the outcome of an attempt, and moves the delivery's due entry. */
import type { HttpExchange } from '../../adapters/outbound-http.ts';
import type { AttemptOutcome, Delivery } from '../../core/webhooks/delivery.ts';
import type { DueEntry } from '../../storage/due-deliveries.ts';
import type { FoundEndpoint } from '../../storage/endpoints.ts';
import type { DispatchPorts, DueDelivery, EndpointRef, Recorded } from './dispatch-ports.ts';

/** A delivery as it was before its attempt. */
export type AttemptedDelivery = Pick<DueDelivery, 'isStored' | 'entry'> & { readonly delivery: Delivery };

/**
 * Records the attempt that was due, then adds the next entry. The one of this attempt is over: the session removes it before it looks
 * for others. A crash in between leaves an entry that is wrong, which the next session puts right.
 *
 * @param exchange null: no attempt was made
 * @param endsSession the number of the session that the record of a new delivery ends; null: it goes on
 */
export async function recordOutcome(
  ports: DispatchPorts,
  of: EndpointRef,
  found: FoundEndpoint,
  { delivery, isStored, entry }: AttemptedDelivery,
  exchange: HttpExchange | null,
  after: AttemptOutcome,
  endsSession: number | null,
): Promise<{ readonly recorded: Recorded; readonly over: DueEntry | null }> {
  const recorded = await ports.record({ ...of, delivery, isStored, endsSession }, found, exchange, after);
  // Recorded by another worker: the entry is put right when it is read again.
  if (recorded === 'known') return { recorded, over: null };
  const next = { ...delivery, ...after, attemptDue: delivery.attemptDue + 1 };
  if (after.state === 'pending') await ports.addDue({ ...of, delivery: next });
  const isKept = entry && after.state === 'pending' && ports.isEntryOf(entry, { ...of, delivery: next });
  return { recorded, over: isKept ? null : entry };
}
