/** What waits at an endpoint: the due entries that may start, those that have expired, and those that a crash left wrong. */
import { idTime } from '../../core/ids.ts';
import { expiryGraceMs, type Waiting } from '../../core/webhooks/dispatch.ts';
import { type Health, isProbing } from '../../core/webhooks/health.ts';
import type { DueEntry } from '../../storage/due-deliveries.ts';
import type { DispatchPorts, DueDelivery, EndpointRef } from './dispatch-ports.ts';
import type { Session } from './session.ts';

/** Clocks of functions differ by milliseconds: an attempt that is early by less than this is due. */
export const clockToleranceMs = 1000;
/** Entries that one look takes. */
const entriesAtOnce = 100;
/** Expired deliveries that are recorded at the same time. */
const expiredAtOnce = 25;

const ageOf = ({ dueAt, deliveryId }: DueEntry): number => dueAt || idTime(deliveryId);
const isExpired = ({ deadlineAt }: DueEntry, atMs: number): boolean => deadlineAt + expiryGraceMs <= atMs;

/** When the deliveries of an endpoint need a worker. */
export async function lookAhead(ports: DispatchPorts, of: EndpointRef, health: Health): Promise<Waiting> {
  // Only a probed endpoint has retries that are overdue.
  return waitingOf(await ports.listDue(of, isProbing(health) ? entriesAtOnce : 1), ports.now());
}

interface ListedEntries {
  readonly fresh: readonly DueEntry[];
  readonly retries: readonly DueEntry[];
}

function waitingOf({ fresh, retries }: ListedEntries, nowMs: number): Waiting {
  const first = [...fresh.slice(0, 1), ...retries.slice(0, 1)].map(ageOf);
  const overdue = [...fresh, ...retries].filter((entry) => ageOf(entry) <= nowMs);
  const expiries = overdue.map(({ deadlineAt }) => deadlineAt + expiryGraceMs);
  return {
    dueAt: first.length > 0 ? Math.min(...first) : null,
    expiresAt: expiries.length > 0 ? Math.min(...expiries) : null,
  };
}

/**
 * The entries that are due, oldest first, and what waits beside the deliveries in work. Those that have expired are
 * recorded as failed first.
 *
 * @param inWork deliveries whose attempts run, and entries of recorded attempts, which are removed first: all are left out
 * @param expire records deliveries as failed without an attempt
 * @param untilMs expiry ends then, as there may be any number
 */
export async function nextEntries(
  ports: DispatchPorts,
  of: EndpointRef,
  { running, over }: Pick<Session, 'running' | 'over'>,
  expire: (entries: readonly DueEntry[]) => Promise<void>,
  untilMs: number,
): Promise<{ readonly due: DueEntry[]; readonly waiting: Waiting }> {
  for (;;) {
    await removeOver(ports, over);
    const listed = await ports.listDue(of, running.size + over.size + entriesAtOnce);
    const at = ports.now();
    const isIdle = ({ deliveryId, key }: DueEntry) => !running.has(deliveryId) && !over.has(key.sk);
    const fresh = listed.fresh.filter(isIdle);
    const retries = listed.retries.filter(isIdle);
    const due = [...fresh, ...retries].filter((entry) => ageOf(entry) <= at + clockToleranceMs);
    const expired = due.filter((entry) => isExpired(entry, at));
    if (expired.length === 0 || at >= untilMs) {
      const left = due.filter((entry) => !isExpired(entry, at));
      return {
        due: left.sort((one, other) => ageOf(one) - ageOf(other)),
        waiting: waitingOf({ fresh, retries }, at),
      };
    }
    for (let from = 0; from < expired.length; from += expiredAtOnce) {
      await expire(expired.slice(from, from + expiredAtOnce));
    }
  }
}

/** Removes the entries of recorded attempts: all by one call. */
export async function removeOver(ports: DispatchPorts, over: Session['over']): Promise<void> {
  const entries = [...over.values()];
  if (entries.length === 0) return;
  await ports.removeDue(...entries);
  for (const { key } of entries) over.delete(key.sk);
}

/** Stores a delivery that is not, then adds its due entry: an entry without a delivery would be removed. */
export async function keep(
  ports: DispatchPorts,
  of: EndpointRef,
  { delivery: found, isStored }: DueDelivery,
): Promise<void> {
  const delivery = found && !isStored ? await ports.store({ ...of, delivery: found }) : found;
  if (delivery?.state === 'pending') await ports.addDue({ ...of, delivery });
}

/** Whether the attempt of a delivery is due. Puts right an entry that a crash between two writes has left. */
export async function isDue(ports: DispatchPorts, of: EndpointRef, due: DueDelivery): Promise<boolean> {
  const { delivery, entry } = due;
  if (delivery?.state !== 'pending') {
    if (entry) await ports.removeDue(entry);
    return false;
  }
  const isRight = entry === null || ports.isEntryOf(entry, { ...of, delivery });
  const isEarly = (delivery.nextAttemptAt ?? 0) > ports.now() + clockToleranceMs;
  if (isRight && !isEarly) return true;
  await keep(ports, of, due);
  if (entry && !isRight) await ports.removeDue(entry);
  return false;
}
