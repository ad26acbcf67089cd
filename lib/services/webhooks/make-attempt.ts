/** Attempts of a session: the share of the function that each takes, its outcome for delivery, health and session, and its record. */
import type { HttpExchange } from '../../adapters/outbound-http.ts';
import { allDone } from '../../core/all-done.ts';
import type { DeliveryId } from '../../core/ids.ts';
import { type AttemptOutcome, afterAttempt } from '../../core/webhooks/delivery.ts';
import { healthAfter, isOutageDue, isProbing, isSteady, skipProbe } from '../../core/webhooks/health.ts';
import { afterV1Attempt, isBuiltAtSend, v1BodyBytesMax } from '../../core/webhooks/v1-format.ts';
import type { DueEntry } from '../../storage/due-deliveries.ts';
import type { DispatchPorts, DueDelivery } from './dispatch-ports.ts';
import { isDue } from './due-work.ts';
import { type AttemptedDelivery, recordOutcome } from './record-outcome.ts';
import type { Session } from './session.ts';

/** The share of a function that an attempt takes. */
export interface Share {
  /** Keeps what the body takes, instead of the most that it could take. */
  resize(body: string | null): void;
  release(): void;
}

/** Takes the share of the function that an attempt needs. */
export function takeShare(
  { attempts }: DispatchPorts,
  { found }: Session,
  { delivery, body }: DueDelivery,
): Share {
  const isBuilt = found && delivery && isBuiltAtSend(found.endpoint, delivery);
  let held = 0;
  const hold = (bytes: number) => {
    attempts.bodyBytes += bytes - held;
    held = bytes;
  };
  attempts.running += 1;
  hold(isBuilt ? v1BodyBytesMax : Buffer.byteLength(body ?? ''));
  return {
    resize: (built) => hold(Buffer.byteLength(built ?? '')),
    release() {
      attempts.running -= 1;
      hold(0);
    },
  };
}

/** Makes an attempt and records it. @throws errors of its record */
export async function makeAttempt(
  ports: DispatchPorts,
  current: Session,
  due: DueDelivery,
  share: Share,
): Promise<void> {
  const { found, of } = current;
  const { delivery, body: stored } = due;
  if (!delivery || !found) return;
  // Nothing is left to post: the event has expired.
  if (stored === null) return await fail(ports, current, due);
  const { health: before } = current;
  const isProbe = isProbing(before);
  const attempt = { delivery, body: stored, atMs: ports.now() };
  const body = found.endpoint.enabled ? await ports.bodyOf(of, found, attempt) : null;
  share.resize(body);
  const exchange = body === null ? null : await ports.post(of, found, { ...attempt, body });
  const after =
    found.endpoint.format === 'v1'
      ? afterV1Attempt(exchange)
      : afterAttempt(delivery, exchange, ports.now(), ports.random);
  if (exchange && delivery.replay === 0) {
    const result = {
      isSuccess: after.state === 'delivered',
      isAnswered: exchange.statusCode !== null,
      durationMs: exchange.durationMs,
      isProbe,
      createdAt: delivery.createdAt,
    };
    current.health = healthAfter(current.health, result, ports.now(), ports.random);
  } else if (!exchange && isProbe) {
    current.health = skipProbe(current.health, ports.now(), ports.random);
  }
  const isLast =
    after.state === 'delivered' && isSteady(before, current.health) && isAlone(current, delivery.id);
  await record(ports, current, { ...due, delivery }, exchange, after, isLast);
  if (after.state === 'failed') await reportOutage(ports, current);
}

/** Whether the session has nothing beside a delivery, as far as it knows: what would wait has been looked for, no timer is set, and no entry is left. */
function isAlone({ endsWith, waiting, wakes, over }: Session, id: DeliveryId): boolean {
  return endsWith === id && waiting?.dueAt === null && wakes.size + over.size === 0;
}

/** @param isLast the record of the delivery ends the session, unless another worker has stored it meanwhile */
async function record(
  ports: DispatchPorts,
  current: Session,
  due: AttemptedDelivery,
  exchange: HttpExchange | null,
  after: AttemptOutcome,
  isLast: boolean,
): Promise<void> {
  const { of, found, number } = current;
  if (!found) return;
  if (isLast) current.course = 'ending';
  const endsSession = isLast ? number : null;
  const { recorded, over } = await recordOutcome(ports, of, found, due, exchange, after, endsSession);
  if (over) current.over.set(over.key.sk, over);
  if (isLast) current.course = recorded === 'created' ? 'ended' : 'open';
  // It may have an entry.
  if (recorded === 'known' || after.state === 'pending') current.waiting = undefined;
}

/** Records expired deliveries as failed. */
export async function expire(
  ports: DispatchPorts,
  current: Session,
  entries: readonly DueEntry[],
): Promise<void> {
  const { due } = await ports.load(current.of, entries, []);
  await allDone(
    due.map(async (one) => {
      if (await isDue(ports, current.of, one)) await fail(ports, current, one);
    }),
  );
}

/** Reports the outage of the endpoint once, where it has lasted for long enough. */
async function reportOutage(ports: DispatchPorts, current: Session): Promise<void> {
  const { failingSince } = current.health;
  if (failingSince === null || !isOutageDue(current.health, ports.now())) return;
  current.health = { ...current.health, isOutageReported: true };
  await ports.reportOutage(current.of, failingSince);
}

async function fail(ports: DispatchPorts, current: Session, due: DueDelivery): Promise<void> {
  const { delivery } = due;
  if (!delivery) return;
  const after = { state: 'failed', nextAttemptAt: null } as const;
  await record(ports, current, { ...due, delivery }, null, after, false);
  await reportOutage(ports, current);
}
