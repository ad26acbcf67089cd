/**
 * A session of the pacer: one worker in a workspace, the only one, sorts what was held and lets go what may
 * (docs/decisions/0048-pacing.md#the-pacer).
 */
import { arrivalKey, type HeldEmail } from '../../core/pacing/held.ts';
import {
  isTimerSet,
  type PacerState,
  pacerTimes,
  type TreeProgress,
  wakeFor,
} from '../../core/pacing/pacer.ts';
import type { RuleSet } from '../../core/pacing/rule.ts';
import { claimLease } from '../queues/claim-lease.ts';
import type { PacerPorts } from './pacer-ports.ts';
import { TreeChanged } from './pending-changes.ts';
import { PacingTree } from './tree.ts';

/** Emails that are sorted before others leave, and emails that leave before others are sorted. */
const atOnce = 50;

interface Session {
  readonly token: string;
  readonly until: number;
  state: PacerState;
}

/** How a part of a session ended: nothing is left before `nextAt`, or there is more to do. */
type Ending = { readonly nextAt: number | null } | 'more';

/** Ends the work of a session whose time is over. */
class OutOfTime extends Error {}

/**
 * Processes a `pace-mail` message. Idempotent.
 *
 * @param token identifies the message across its deliveries by SQS
 */
export async function paceMail(ports: PacerPorts, token: string): Promise<void> {
  const state = await claimLease(ports, token, (found) => isNothingToDo(ports, found));
  if (!state) return;
  const session = { token, until: ports.now() + pacerTimes.sessionMs, state };
  try {
    for (;;) {
      const ending = await work(ports, session);
      if (await end(ports, session, ending)) return;
    }
  } catch (error) {
    if (error instanceof TreeChanged && error.isLeaseLost) return;
    // The message is delivered again, and is the one that follows: a timer of now shows it that something is left.
    await ports.releaseLease(token, ports.now(), { isHandedOver: true });
    throw error;
  }
}

/** A repeated message, or one that a session was faster than, costs no write. */
async function isNothingToDo(ports: PacerPorts, state: PacerState): Promise<boolean> {
  const { lease, wakeAt, sortedTo, oldTrees, treeVersion } = state;
  if (lease || sortedTo !== null || oldTrees.length > 0) return false;
  if (wakeAt !== null && wakeAt <= ports.now() + pacerTimes.patienceMs) return false;
  const [inbox, { version }] = await Promise.all([ports.listInbox(1), ports.rules()]);
  return inbox.length === 0 && version === treeVersion;
}

async function work(ports: PacerPorts, session: Session): Promise<Ending> {
  const rules = await ports.rules();
  if (session.state.treeVersion !== rules.version) await startTree(ports, session, rules);
  try {
    return await workOnTree(ports, session, rules);
  } catch (error) {
    if (error instanceof OutOfTime) return 'more';
    // An email left by itself: the tree is read anew.
    if (error instanceof TreeChanged && !error.isLeaseLost) return 'more';
    throw error;
  }
}

/** Begins a new tree: everything that is held is sorted anew, the oldest first. */
async function startTree(ports: PacerPorts, session: Session, { version }: RuleSet): Promise<void> {
  const { treeVersion, oldTrees } = session.state;
  const replaced = treeVersion === 0 ? [] : [treeVersion];
  await saveTree(ports, session, {
    treeVersion: version,
    sortedTo: '',
    oldTrees: [...oldTrees, ...replaced],
  });
}

async function saveTree(ports: PacerPorts, session: Session, progress: TreeProgress): Promise<void> {
  if (!(await ports.saveTree(session.token, progress))) throw new TreeChanged(true);
  session.state = { ...session.state, ...progress };
}

async function workOnTree(ports: PacerPorts, session: Session, rules: RuleSet): Promise<Ending> {
  let now = ports.now();
  const tree = new PacingTree({
    store: ports.store(rules.version, session.token),
    rules,
    now: () => now,
    onStep() {
      if (ports.now() > session.until + pacerTimes.sessionMs) throw new OutOfTime();
    },
  });
  for (;;) {
    now = ports.now();
    const isSorted = await sortSome(ports, session, tree);
    const hasReceived = await receiveSome(ports, session, tree);
    const next = await releaseSome(ports, tree, (at) => {
      now = at;
    });
    await tree.flush();
    if (ports.now() >= session.until) return next === 'more' || !isSorted || hasReceived ? 'more' : next;
    if (next === 'more' || !isSorted || hasReceived) continue;
    if (!(await removeOldTrees(ports, session))) return 'more';
    const waitMs = next.nextAt === null ? Number.POSITIVE_INFINITY : next.nextAt - ports.now();
    if (waitMs > pacerTimes.patienceMs) return next;
    await ports.pause(Math.max(1, waitMs));
  }
}

/** Sorts held emails into the tree after a change of the rules. True where all are. */
async function sortSome(ports: PacerPorts, session: Session, tree: PacingTree): Promise<boolean> {
  const { sortedTo } = session.state;
  if (sortedTo === null) return true;
  const [held, isDeleted] = await Promise.all([ports.listHeld(sortedTo, atOnce), ports.deletedSpaces()]);
  // After the emails: both are written together, and nobody else removes entries.
  const arrivals = await ports.findArrivals(held.map(({ position }) => position));
  for (const [at, email] of held.entries()) {
    // One that has just arrived is met here, not again when the inbox is read.
    if (arrivals[at]) tree.receive(arrivalKey(email.position), true);
    if (isDeleted(email.spaceId)) tree.drop(email.position);
    else await tree.insert(email);
  }
  const last = held.length < atOnce ? null : (held.at(-1)?.position ?? null);
  tree.setSortedTo(last);
  await tree.flush();
  session.state = { ...session.state, sortedTo: last };
  return last === null;
}

/** Works on what acceptance and the API have left. True where there was something. */
async function receiveSome(ports: PacerPorts, session: Session, tree: PacingTree): Promise<boolean> {
  const entries = await ports.listInbox(atOnce);
  const positions = entries.flatMap((entry) => (entry.kind === 'held' ? [entry.position] : []));
  const found = await ports.findHeld(positions);
  const held = new Map(found.flatMap((email) => (email ? [[email.position, email] as const] : [])));
  for (const entry of entries) {
    tree.receive(entry.key, entry.kind === 'held');
    if (entry.kind === 'left') {
      await tree.leave(entry.message, entry);
      continue;
    }
    const email = held.get(entry.position);
    if (email && isInTree(session, email)) await tree.insert(email);
  }
  await tree.flush();
  return entries.length > 0;
}

/** Later ones are met when they are sorted. */
function isInTree({ state: { sortedTo } }: Session, { position }: HeldEmail): boolean {
  return sortedTo === null || position <= sortedTo;
}

async function releaseSome(
  ports: PacerPorts,
  tree: PacingTree,
  setNow: (at: number) => void,
): Promise<Ending> {
  for (let released = 0; released < atOnce; released++) {
    setNow(ports.now());
    const next = await tree.next();
    if (!('entry' in next)) return { nextAt: next.at };
    await tree.release(next);
  }
  return 'more';
}

async function removeOldTrees(ports: PacerPorts, session: Session): Promise<boolean> {
  for (const version of session.state.oldTrees) {
    while (!(await ports.removeTree(version))) if (ports.now() >= session.until) return false;
  }
  const { treeVersion, sortedTo, oldTrees } = session.state;
  if (oldTrees.length > 0) await saveTree(ports, session, { treeVersion, sortedTo, oldTrees: [] });
  return true;
}

/** Releases the lease and arranges the next session. False where more was asked for: the session goes on. */
async function end(ports: PacerPorts, session: Session, ending: Ending): Promise<boolean> {
  const { token } = session;
  if (ending === 'more') {
    if (ports.now() < session.until) return false;
    await ports.releaseLease(token, ports.now(), { isHandedOver: true });
    await ports.send();
    return true;
  }
  const before = session.state.wakeAt;
  const next = wakeFor(ending.nextAt);
  const needed = next !== null && (await isEmpty(ports, session)) ? null : next;
  let wakeAt = before;
  if (needed === null) wakeAt = null;
  else if (!isTimerSet({ wakeAt: before }, needed, ports.now())) {
    await ports.setTimer(needed);
    wakeAt = needed;
  }
  session.state = { ...session.state, wakeAt };
  if (!(await ports.releaseLease(token, wakeAt, { isHandedOver: false }))) {
    // Another worker has it, if the lease has expired; else something has come.
    return !(await ports.clearAgain(token));
  }
  if (before !== null && before !== wakeAt) await ports.removeWake(before);
  return true;
}

/**
 * Whether nothing is held. What an email that was released by hand has left in the tree is met when its rules allow, which may be never:
 * nobody need come for it.
 */
async function isEmpty(ports: PacerPorts, { state }: Session): Promise<boolean> {
  return state.held === 0 && (await ports.listHeld('', 1)).length === 0;
}
