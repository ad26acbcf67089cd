/**
 * A session of the pacer: one worker in a workspace, the only one, sorts what was held and lets go what may
 * (docs/decisions/0048-pacing.md#the-pacer).
 */

import { arrivalKey, type HeldEmail } from '../../core/pacing/held.ts';
import { type PacerChange, type PacerState, pacerTimes, type TreeProgress } from '../../core/pacing/pacer.ts';
import type { RuleSet } from '../../core/pacing/rule.ts';
import { type JobCall, LeaseLost } from '../../core/work/job.ts';
import { type Ending, runJob } from '../jobs/run-job.ts';
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
type Rest = { readonly nextAt: number | null } | 'more';

/** Ends the work of a session whose time is over. */
class OutOfTime extends Error {}

/** Processes a `pace-mail` message. Idempotent. */
export async function paceMail(ports: PacerPorts, call: JobCall): Promise<void> {
  const { sessionMs } = pacerTimes;
  await runJob<PacerState, PacerChange>(
    {
      store: ports.job,
      sessionMs,
      now: ports.now,
      isIdle: (state) => isIdle(ports, state),
      begin(state, { token, until }) {
        const session = { token, until, state };
        return () => takeTurn(ports, session);
      },
    },
    call,
  );
}

/** A message that a session was faster than finds nothing to do. */
async function isIdle(ports: PacerPorts, { sortedTo, oldTrees, treeVersion }: PacerState): Promise<boolean> {
  if (sortedTo !== null || oldTrees.length > 0) return false;
  const [inbox, { version }] = await Promise.all([ports.listInbox(1), ports.rules()]);
  return inbox.length === 0 && version === treeVersion;
}

async function takeTurn(ports: PacerPorts, session: Session): Promise<Ending<PacerChange>> {
  const rest = await work(ports, session);
  if (rest === 'more') return { kind: 'more', set: {} };
  // What an email that was released by hand has left in the tree is met when its rules allow, which may be never.
  const isEmpty =
    rest.nextAt === null || (session.state.held === 0 && (await ports.listHeld('', 1)).length === 0);
  if (isEmpty) return { kind: 'done', nextAt: null, set: { held: 0 } };
  return { kind: 'done', nextAt: rest.nextAt - pacerTimes.earlyMs, set: {} };
}

async function work(ports: PacerPorts, session: Session): Promise<Rest> {
  const rules = await ports.rules();
  if (session.state.treeVersion !== rules.version) await startTree(ports, session, rules);
  try {
    return await workOnTree(ports, session, rules);
  } catch (error) {
    // An email left by itself: the tree is read anew.
    if (error instanceof OutOfTime || error instanceof TreeChanged) return 'more';
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
  if (!(await ports.saveTree(session.token, progress))) throw new LeaseLost();
  session.state = { ...session.state, ...progress };
}

async function workOnTree(ports: PacerPorts, session: Session, rules: RuleSet): Promise<Rest> {
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

async function releaseSome(ports: PacerPorts, tree: PacingTree, setNow: (at: number) => void): Promise<Rest> {
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
