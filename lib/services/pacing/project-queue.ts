/** Projection of held emails: the pacer runs ahead of time, in memory, on what was read (docs/concepts/pacing.md#projections). */
import type { WorkspaceId } from '../../core/ids.ts';
import { constraintKey, type HeldPosition, type PacedEmail } from '../../core/pacing/held.ts';
import { type HeldBy, type Projection, ready } from '../../core/pacing/project.ts';
import { allConstraints, constraintsOf, matchingRules, type RuleSet } from '../../core/pacing/rule.ts';
import { findScopes } from '../../storage/pacing/pacing-tree.ts';
import { memoryStore, newMemoryTree } from './memory-store.ts';
import { PacingTree } from './tree.ts';

/** Moves that a projection makes at most. */
const stepsMax = 20_000;

/**
 * What happens to each email if nothing changes, in the same order. Those that have not left after `stepsMax` moves leave with
 * the last one.
 */
export async function projectQueue(
  workspaceId: WorkspaceId,
  rules: RuleSet,
  held: readonly PacedEmail[],
  nowMs: number,
): Promise<readonly Projection[]> {
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
  let time = nowMs;
  const tree = new PacingTree({ store: memoryStore(memory), rules, now: () => time });
  const blockers = new Map<HeldPosition, HeldBy>();
  for (const email of held) {
    const rule = await tree.blockerOf(email);
    blockers.set(email.position, rule ? { kind: rule.kind, ruleId: rule.id } : ready);
    await tree.insert(email);
  }
  const times = new Map<HeldPosition, number>();
  for (let steps = 0; steps < stepsMax; steps++) {
    const next = await tree.next();
    if ('entry' in next) {
      times.set(next.entry.position, time);
      await tree.release(next);
    } else if (next.at === null) break;
    else time = Math.max(time, next.at);
  }
  return held.map((email) => {
    const sendAt = Math.ceil(times.get(email.position) ?? time);
    const blocker = blockers.get(email.position) ?? ready;
    return {
      heldBy: blocker.kind === 'ready' ? waitingFor(rules, email, sendAt, nowMs) : blocker,
      sendAt,
    };
  });
}

/** An email whose rules are open waits for others before it: for the tightest of its limits. */
function waitingFor(rules: RuleSet, email: PacedEmail, sendAt: number, nowMs: number): HeldBy {
  if (sendAt <= nowMs + 1000) return ready;
  const limits = matchingRules(rules, email).flatMap((rule) => (rule.kind === 'limit' ? [rule] : []));
  const gapOf = ({ limit }: (typeof limits)[number]) => limit.perSeconds / limit.amount;
  const [first, ...others] = limits;
  if (!first) return ready;
  const tightest = others.reduce((one, other) => (gapOf(other) > gapOf(one) ? other : one), first);
  return { kind: 'limit', ruleId: tightest.id };
}
