/**
 * A session: one worker at one endpoint, the only one, makes the attempts that are due, up to `max_concurrency` at the same
 * time, for a limited time (docs/decisions/0043-webhook-dispatch.md).
 */
import type { HttpExchange } from '../../adapters/outbound-http.ts';
import { allDone } from '../../core/all-done.ts';
import type { DeliveryId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { DeliverWebhook } from '../../core/queue-messages.ts';
import { type AttemptOutcome, afterAttempt } from '../../core/webhooks/delivery.ts';
import { nextSessionAt, nothingWaits, roomFor, session, type Waiting } from '../../core/webhooks/dispatch.ts';
import {
  type Health,
  healthAfter,
  isOutageDue,
  isProbing,
  isSteady,
  skipProbe,
} from '../../core/webhooks/health.ts';
import type { Lane } from '../../core/webhooks/lane.ts';
import { afterV1Attempt, isBuiltAtSend, v1BodyBytesMax } from '../../core/webhooks/v1-format.ts';
import type { DueEntry } from '../../storage/due-deliveries.ts';
import type { FoundEndpoint } from '../../storage/endpoints.ts';
import { deliveriesOf, deliverMessage } from './announce-delivery.ts';
import { type Claim, claimEndpoint, keepDeliveries } from './claim-endpoint.ts';
import type { DispatchPorts, DueDelivery, EndpointRef, NamedDelivery } from './dispatch-ports.ts';
import { clockToleranceMs, isDue, lookAhead, nextEntries } from './due-work.ts';
import { type AttemptedDelivery, recordOutcome } from './record-outcome.ts';

interface Session {
  readonly of: EndpointRef;
  readonly lane: Lane;
  readonly token: string;
  /** Of the sessions of the endpoint. */
  readonly number: number;
  /** The new delivery whose record may end the session; null: its release does. */
  readonly endsWith: DeliveryId | null;
  /** Nothing starts while that delivery is being recorded, and nothing follows once its record has ended the session. */
  course: 'open' | 'ending' | 'ended';
  /** No attempt starts later. */
  readonly until: number;
  health: Health;
  wakeAt: number | null;
  /** Timers in the wake index: the one that was set before, and those of this session. */
  readonly wakes: Set<number>;
  /** As last read; null: it was deleted. */
  found: FoundEndpoint | null | undefined;
  /** Deliveries that the message names, and entries that were found; none of them has started. */
  named: readonly NamedDelivery[];
  entries: readonly DueEntry[];
  /**
   * What waits, as of the state before the lease or a look that found nothing due, where this session has added nothing since: it
   * needs no further look before the release, which fails where others have asked for one. undefined: a look is needed.
   */
  waiting: Waiting | undefined;
  readonly running: Map<DeliveryId, Promise<void>>;
  /** Errors of attempts that were not recorded. */
  readonly errors: unknown[];
}

/**
 * Processes a `deliver-webhook` message. Idempotent.
 *
 * @param token identifies the message across its deliveries by SQS
 */
export async function deliverDue(
  ports: DispatchPorts,
  message: DeliverWebhook,
  token: string,
): Promise<void> {
  const claim = await claimEndpoint(ports, message, token);
  if (!claim) return;
  const current = newSession(ports, message, token, claim);
  try {
    do await work(ports, current);
    while (!(await end(ports, current)));
  } catch (error) {
    // The message is delivered again, and is the one that follows.
    await ports.releaseLease(current.of, token, current, { isHandedOver: true });
    throw error;
  }
}

function newSession(
  ports: DispatchPorts,
  message: DeliverWebhook,
  token: string,
  { state: { health, wakeAt, sessions }, mayWait, endsWith }: Claim,
): Session {
  const { workspaceId, endpointId, lane } = message;
  return {
    of: { workspaceId, endpointId },
    lane,
    token,
    number: sessions + 1,
    endsWith,
    course: 'open',
    until: ports.now() + session.startsMs[lane],
    health,
    wakeAt,
    wakes: new Set(wakeAt === null ? [] : [wakeAt]),
    found: undefined,
    named: deliveriesOf(message),
    entries: [],
    waiting: mayWait ? undefined : nothingWaits,
    running: new Map(),
    errors: [],
  };
}

/** Makes attempts until none is due or the time is over. @throws the first error of an attempt */
async function work(ports: DispatchPorts, current: Session): Promise<void> {
  while (current.course !== 'ended' && !isNothingLeft(ports, current)) {
    const mayStart = current.errors.length === 0 && ports.now() < current.until;
    const started = mayStart ? await startSome(ports, current) : 0;
    if (current.running.size === 0) {
      if (current.errors.length > 0) throw current.errors[0];
      if (started === 0 && !(mayStart && isFull(ports, current))) return;
      // Other endpoints have all of the function.
      if (started === 0) await ports.pause(session.pollMs);
    } else {
      await Promise.race([...current.running.values(), ports.pause(session.pollMs)]);
    }
  }
}

/** Whether no attempt runs, and none is due as far as is known. */
function isNothingLeft(ports: DispatchPorts, current: Session): boolean {
  const { errors, named, entries } = current;
  return errors.length + named.length + entries.length === 0 && isNothingDue(ports, current);
}

/** Whether no attempt runs, and no entry is due as far as is known. */
function isNothingDue({ now }: DispatchPorts, { running, waiting }: Session): boolean {
  if (running.size > 0 || !waiting) return false;
  return waiting.dueAt === null || waiting.dueAt > now() + clockToleranceMs;
}

const isFull = (ports: DispatchPorts, { found }: Session): boolean => roomInFunction(ports, found) <= 0;

/** How many more attempts at an endpoint the function has room for. */
function roomInFunction({ attempts }: DispatchPorts, found: Session['found']): number {
  const { running, max, bodyBytes, bodyBytesMax } = attempts;
  const bytesLeft = bodyBytesMax - bodyBytes;
  // How long a body is that is built when it is sent, shows only then.
  const roomForBodies =
    found?.endpoint.format === 'v1'
      ? Math.floor(bytesLeft / v1BodyBytesMax)
      : bytesLeft > 0
        ? Number.POSITIVE_INFINITY
        : 0;
  return Math.min(max - running, roomForBodies);
}

function roomOf(ports: DispatchPorts, { health, lane, running, found }: Session): number {
  // Of an endpoint that has not been read more may be loaded than starts then.
  const maxConcurrency = found?.endpoint.maxConcurrency ?? limits.endpointConcurrencyDefault;
  const room = roomFor(
    health,
    { lane, running: running.size, maxConcurrency },
    ports.now() + clockToleranceMs,
  );
  return Math.min(room, roomInFunction(ports, found));
}

/** Starts what there is room for. The endpoint is read anew with the deliveries: a change of it holds for the next attempt. */
async function startSome(ports: DispatchPorts, current: Session): Promise<number> {
  if (current.found !== undefined && roomOf(ports, current) <= 0) return 0;
  const due = await takeDue(ports, current);
  // Other sessions of this function may have taken its room meanwhile, or the record of an attempt is about to end this one.
  const started = due.findIndex((one) => {
    if (current.course !== 'open' || roomOf(ports, current) <= 0) return true;
    start(ports, current, one);
    return false;
  });
  if (started < 0) return due.length;
  putBack(current, due.slice(started));
  return started;
}

/** Deliveries that were taken and have not started. */
function putBack(current: Session, due: readonly DueDelivery[]): void {
  const named = due.flatMap(({ delivery, isStored, entry }) =>
    delivery && entry === null ? [isStored ? delivery.id : delivery] : [],
  );
  current.named = [...named, ...current.named];
  current.entries = [...due.flatMap(({ entry }) => entry ?? []), ...current.entries];
}

/** Deliveries whose attempt is due, as many as there is room for, oldest first. None of an endpoint that was deleted. */
async function takeDue(ports: DispatchPorts, current: Session): Promise<readonly DueDelivery[]> {
  const taken: DueDelivery[] = [];
  for (let isRead = false; ; ) {
    const { named, entries } = current;
    const room = Math.max(0, roomOf(ports, current));
    const roomLeft = Math.max(0, room - taken.length);
    const first = named.slice(0, roomLeft);
    const found = entries.slice(0, roomLeft - first.length);
    if (first.length + found.length === 0) {
      if (isRead || (roomLeft === 0 && room > 0) || isNothingDue(ports, current)) return taken;
      current.found ??= await ports.findEndpoint(current.of);
      if (!current.found) return [];
      const isQuiet = current.running.size === 0;
      const { due, waiting } = await nextEntries(
        ports,
        current.of,
        current.running,
        (expired) => expire(ports, current, expired),
        current.until,
      );
      current.entries = due;
      if (due.length > 0) current.waiting = undefined;
      // An attempt that runs may add an entry while this is read.
      else if (isQuiet) current.waiting = waiting;
      isRead = true;
      if (room === 0) return taken;
      continue;
    }
    current.named = named.slice(first.length);
    current.entries = entries.slice(found.length);
    const loaded = await ports.load(current.of, found, first);
    current.found = loaded.found;
    if (!loaded.found) return [];
    for (const one of loaded.due) {
      // A worker that died may have left an entry for it.
      if (one.isStored && one.entry === null) current.waiting = undefined;
      const isTaken = taken.some(({ delivery }) => delivery?.id === one.delivery?.id);
      if (isTaken) continue;
      if (await isDue(ports, current.of, one)) taken.push(one);
      // Its entry may be another one now.
      else current.waiting = undefined;
    }
  }
}

function start(ports: DispatchPorts, current: Session, due: DueDelivery): void {
  const { delivery } = due;
  if (!delivery || current.running.has(delivery.id)) return;
  const share = takeShare(ports, current, due);
  const attempt = makeAttempt(ports, current, due, share)
    .catch((error: unknown) => {
      current.errors.push(error);
    })
    .finally(() => {
      share.release();
      current.running.delete(delivery.id);
    });
  current.running.set(delivery.id, attempt);
}

interface Share {
  /** Keeps what the body takes, instead of the most that it could take. */
  resize(body: string | null): void;
  release(): void;
}

/** Takes the share of the function that an attempt needs. */
function takeShare({ attempts }: DispatchPorts, { found }: Session, { delivery, body }: DueDelivery): Share {
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

async function makeAttempt(
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

/** Whether the session has nothing beside a delivery, as far as it knows: what would wait has been looked for, and no timer is set. */
function isAlone({ endsWith, waiting, wakes }: Session, id: DeliveryId): boolean {
  return endsWith === id && waiting?.dueAt === null && wakes.size === 0;
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
  const recorded = await recordOutcome(ports, of, found, due, exchange, after, isLast ? number : null);
  if (isLast) current.course = recorded === 'created' ? 'ended' : 'open';
  // It may have an entry.
  if (recorded === 'known' || after.state === 'pending') current.waiting = undefined;
}

/** Records expired deliveries as failed. */
async function expire(ports: DispatchPorts, current: Session, entries: readonly DueEntry[]): Promise<void> {
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

/** Releases the lease and arranges the next session. False where more has become due: the session goes on. */
async function end(ports: DispatchPorts, current: Session): Promise<boolean> {
  const { of, token } = current;
  if (current.course === 'ended') return true;
  if (current.found === null) return await removeWork(ports, current);
  if (current.named.length + current.entries.length > 0) current.waiting = undefined;
  await keepDeliveries(ports, of, current.named);
  current.named = [];
  current.entries = [];
  const soon = ports.now() + clockToleranceMs;
  const waiting = current.waiting ?? (await lookAhead(ports, of, current.health));
  const next = nextSessionAt(current.health, waiting, soon);
  if (next !== null && next <= soon) {
    if (soon < current.until && roomOf(ports, current) > 0) return false;
    await ports.releaseLease(of, token, current, { isHandedOver: true });
    await ports.send(deliverMessage(of, current.health.lane));
    return true;
  }
  await setTimer(ports, current, next);
  if (!(await ports.releaseLease(of, token, current, { isHandedOver: false }))) {
    // Another worker has it, if the lease has expired; else something has become due.
    current.waiting = undefined;
    return !(await ports.clearAgain(of, token));
  }
  await removeWakes(ports, current, current.wakeAt);
  return true;
}

/** Sets the timer for the next session, unless one is set that fires no later. */
async function setTimer(ports: DispatchPorts, current: Session, next: number | null): Promise<void> {
  const soon = ports.now() + clockToleranceMs;
  const isSet = current.wakeAt !== null && current.wakeAt > soon;
  if (isSet && (next === null || (current.wakeAt ?? 0) <= next)) return;
  if (next !== null) await ports.setTimer(deliverMessage(current.of, current.health.lane), next);
  current.wakeAt = next;
  if (next !== null) current.wakes.add(next);
}

/** @param kept of the timer that stays; null: none does */
async function removeWakes(ports: DispatchPorts, { of, wakes }: Session, kept: number | null): Promise<void> {
  const over = [...wakes].filter((at) => at !== kept);
  await allDone(over.map((at) => ports.removeWake(of, at)));
}

/** Removes what waits for an endpoint that was deleted. */
async function removeWork(ports: DispatchPorts, current: Session): Promise<boolean> {
  const { of, token } = current;
  while (ports.now() < current.until) {
    const { fresh, retries } = await ports.listDue(of, 100);
    if (fresh.length + retries.length === 0) {
      await removeWakes(ports, current, null);
      await ports.removeState(of);
      return true;
    }
    await allDone([...fresh, ...retries].map((entry) => ports.removeDue(entry)));
  }
  await ports.releaseLease(of, token, current, { isHandedOver: true });
  await ports.send(deliverMessage(of, current.health.lane));
  return true;
}
