/** The queue of held emails as the API shows it, and releases by hand (docs/concepts/pacing.md#queue). */
import { now } from '../../adapters/clock.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { constraintKey, type HeldEmail, type HeldPosition, heldPosition } from '../../core/pacing/held.ts';
import { type HeldBy, ready } from '../../core/pacing/project.ts';
import {
  allConstraints,
  constraintsOf,
  matchingRules,
  type PacingRule,
  type RuleSet,
} from '../../core/pacing/rule.ts';
import { findDeletedSpaces, isDeleted } from '../../storage/deleted-spaces.ts';
import { findEmails } from '../../storage/emails.ts';
import { countHeld, findHeld, listHeld, releaseHeld, reportLeft } from '../../storage/held-emails.ts';
import { loadRules } from '../../storage/pacing-rules.ts';
import { findScopes } from '../../storage/pacing-tree.ts';
import { commitIfUnchanged } from '../../storage/transactions.ts';
import { memoryStore, newMemoryTree } from './memory-store.ts';
import { paceMailMessage } from './pace-mail-message.ts';
import { pacingTree } from './tree.ts';

export interface QueuedEmail {
  readonly email: HeldEmail;
  readonly heldBy: HeldBy;
  readonly sendAt: number;
}

export interface PacingQueue {
  /** The oldest held emails. */
  readonly emails: readonly QueuedEmail[];
  readonly total: number;
  readonly asOf: number;
  /** How many of `emails` each rule matches, and how many it holds. */
  readonly rules: readonly { readonly rule: PacingRule; readonly matched: number; readonly held: number }[];
}

/** Held emails that a request counts at most. */
const countedMax = 1_000_000;
/** Moves that a projection makes at most. */
const projectedSteps = 20_000;

/** The oldest held emails with what happens to them if nothing changes. */
export async function readQueue(workspaceId: WorkspaceId, limit: number): Promise<PacingQueue> {
  const [{ items, isAll }, rules, deleted] = await Promise.all([
    listHeld(workspaceId, '', limit),
    loadRules(workspaceId),
    findDeletedSpaces(workspaceId),
  ]);
  const held = items.filter(({ spaceId }) => !isDeleted(deleted, spaceId));
  const total = isAll ? held.length : await countHeld(workspaceId, countedMax);
  const asOf = now();
  const emails = await projectAll(workspaceId, rules, held, asOf);
  const counts = rules.rules.map((rule) => ({
    rule,
    matched: held.filter((email) => matchingRules({ rules: [rule] }, email).length > 0).length,
    held: emails.filter(({ heldBy }) => heldBy.ruleId === rule.id).length,
  }));
  return { emails, total, asOf, rules: counts };
}

/** Lets the pacer run ahead of time, in memory, on what was read. */
async function projectAll(
  workspaceId: WorkspaceId,
  rules: RuleSet,
  held: readonly HeldEmail[],
  asOf: number,
): Promise<readonly QueuedEmail[]> {
  const constraints = held.flatMap((email) =>
    allConstraints(constraintsOf(matchingRules(rules, email), email)),
  );
  const distinct = [...new Map(constraints.map((one) => [constraintKey(one), one])).values()];
  const states = await findScopes(workspaceId, distinct);
  const memory = newMemoryTree();
  distinct.forEach((constraint, at) => {
    const state = states[at];
    if (state) memory.scopes.set(constraintKey(constraint), state);
  });
  let time = asOf;
  const tree = pacingTree({ store: memoryStore(memory), rules, now: () => time });
  const blockers = new Map<HeldPosition, HeldBy>();
  for (const email of held) {
    const rule = await tree.blockerOf(email);
    blockers.set(email.position, rule ? { kind: rule.kind, ruleId: rule.id } : ready);
    await tree.insert(email);
  }
  const times = new Map<HeldPosition, number>();
  for (let steps = 0; steps < projectedSteps; steps++) {
    const next = await tree.next();
    if ('entry' in next) {
      times.set(next.entry.position, time);
      await tree.release(next);
    } else if (next.at === null) break;
    else time = Math.max(time, next.at);
  }
  return held.map((email) => {
    const sendAt = times.get(email.position) ?? time;
    const blocker = blockers.get(email.position) ?? ready;
    return {
      email,
      heldBy: blocker.kind === 'ready' ? waitingFor(rules, email, sendAt, asOf) : blocker,
      sendAt,
    };
  });
}

/** An email whose rules are open waits for others before it: for the tightest of its limits. */
function waitingFor(rules: RuleSet, email: HeldEmail, sendAt: number, asOf: number): HeldBy {
  if (sendAt <= asOf + 1000) return ready;
  const limits = matchingRules(rules, email).flatMap((rule) => (rule.kind === 'limit' ? [rule] : []));
  const gapOf = ({ limit }: (typeof limits)[number]) => limit.perSeconds / limit.amount;
  const [first, ...others] = limits;
  if (!first) return ready;
  const tightest = others.reduce((one, other) => (gapOf(other) > gapOf(one) ? other : one), first);
  return { kind: 'limit', ruleId: tightest.id };
}

/** Emails that one transaction releases. */
const releasedAtOnce = 30;

/**
 * Releases held emails, whatever their rules.
 *
 * @param isCounted whether they use up allowance
 * @returns those that were held
 */
export async function releaseByHand(
  workspaceId: WorkspaceId,
  ids: readonly EmailId[],
  isCounted: boolean,
): Promise<readonly EmailId[]> {
  const heads = await findEmails(workspaceId, [...new Set(ids)]);
  const positions = heads.flatMap((head) => (head ? [heldPosition(head)] : []));
  const held = (await findHeld(workspaceId, positions)).flatMap((email) => email ?? []);
  const released: EmailId[] = [];
  for (let start = 0; start < held.length; start += releasedAtOnce) {
    const some = held.slice(start, start + releasedAtOnce);
    if (await release(workspaceId, some, isCounted)) released.push(...some.map(({ emailId }) => emailId));
    else {
      for (const one of some) if (await release(workspaceId, [one], isCounted)) released.push(one.emailId);
    }
  }
  return released;
}

async function release(
  workspaceId: WorkspaceId,
  emails: readonly HeldEmail[],
  isCounted: boolean,
): Promise<boolean> {
  return await commitIfUnchanged(
    workspaceId,
    emails.flatMap(({ position, spaceId, from, to }) => [
      releaseHeld(workspaceId, position),
      reportLeft(workspaceId, position, { message: { spaceId, from, to }, wasHeld: true, isCounted }),
    ]),
    [...emails.map(({ message }) => ({ message })), { message: paceMailMessage(workspaceId) }],
  );
}
