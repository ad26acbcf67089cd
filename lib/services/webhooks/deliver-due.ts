/**
 * A session: one worker at one endpoint, the only one, makes the attempts that are due, up to `max_concurrency` at the same
 * time, for a limited time (docs/decisions/0043-webhook-dispatch.md).
 */
import { allDone } from '../../core/all-done.ts';
import { limits } from '../../core/limits.ts';
import type { DeliverWebhook } from '../../core/queue-messages.ts';
import { nextSessionAt, nothingWaits, roomFor, session } from '../../core/webhooks/dispatch.ts';
import { v1BodyBytesMax } from '../../core/webhooks/v1-format.ts';
import { deliveriesOf, deliverMessage } from './announce-delivery.ts';
import { type Claim, claimEndpoint, keepDeliveries } from './claim-endpoint.ts';
import type { DispatchPorts, DueDelivery } from './dispatch-ports.ts';
import { clockToleranceMs, isDue, lookAhead, nextEntries, removeOver } from './due-work.ts';
import { expire, makeAttempt, takeShare } from './make-attempt.ts';
import type { Session } from './session.ts';

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
    over: new Map(),
    looksFrom: 0,
    isLookPutOff: false,
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
      await Promise.race([...current.running.values(), ports.pause(untilLookMs(ports, current))]);
    }
  }
}

/** The time until the session looks again, if no attempt ends before. */
function untilLookMs({ now }: DispatchPorts, { isLookPutOff, looksFrom }: Session): number {
  const leftMs = looksFrom - now();
  return isLookPutOff && leftMs > 0 ? leftMs : session.pollMs;
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
      const isQuiet = current.running.size === 0;
      current.isLookPutOff = !isQuiet && ports.now() < current.looksFrom;
      if (current.isLookPutOff) return taken;
      current.looksFrom = ports.now() + session.lookMs;
      current.found ??= await ports.findEndpoint(current.of);
      if (!current.found) return [];
      const { due, waiting } = await nextEntries(
        ports,
        current.of,
        current,
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

/** Releases the lease and arranges the next session. False where more has become due: the session goes on. */
async function end(ports: DispatchPorts, current: Session): Promise<boolean> {
  const { of, token } = current;
  if (current.course === 'ended') return true;
  if (current.found === null) return await removeWork(ports, current);
  if (current.named.length + current.entries.length > 0) current.waiting = undefined;
  await removeOver(ports, current.over);
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
