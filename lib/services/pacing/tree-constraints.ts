/** The constraints that held emails wait for: when they open, and what is used of them. */
import { constraintKey, type ScopeState, unusedScope } from '../../core/pacing/held.ts';
import { nextClosing, nextOpening, type Schedule } from '../../core/pacing/hours.ts';
import type { Constraint, PacingRule, RuleSet } from '../../core/pacing/rule.ts';
import { afterHandOff, openAt, type Pace, slotsUnder } from '../../core/pacing/slots.ts';
import type { TreeStore } from '../../core/pacing/tree-store.ts';
import type { PendingChanges } from './pending-changes.ts';

/** The constraint that opens last, with its time; Unix milliseconds. */
export interface Block {
  readonly constraint: Constraint;
  readonly at: number;
}

export interface ConstraintOptions {
  readonly store: Pick<TreeStore, 'findScopes'>;
  readonly rules: RuleSet;
  readonly pending: PendingChanges;
  now(): number;
}

export class TreeConstraints {
  readonly #options: ConstraintOptions;
  readonly #rules: ReadonlyMap<string, PacingRule>;
  readonly #scopes = new Map<string, ScopeState>();
  readonly #hours = new Map<Schedule, { from: number; until: number; opensAt: number }>();

  constructor(options: ConstraintOptions) {
    this.#options = options;
    this.#rules = new Map(options.rules.rules.map((rule) => [rule.id, rule]));
  }

  /** Reads the states of limits that are not known yet. */
  async load(constraints: readonly Constraint[]): Promise<void> {
    const { store, rules } = this.#options;
    const missing = constraints.filter(
      (one) => !this.#scopes.has(constraintKey(one)) && this.#rules.get(one.ruleId)?.kind === 'limit',
    );
    if (missing.length === 0) return;
    const found = await store.findScopes(missing);
    missing.forEach((constraint, at) => {
      const state = found[at] ?? unusedScope;
      // Those of another version waited in another tree.
      const isCurrent = state.treeVersion === rules.version;
      this.#scopes.set(
        constraintKey(constraint),
        isCurrent ? state : { ...state, waiting: 0, treeVersion: rules.version },
      );
    });
  }

  /** What closes an email the longest; null: all constraints are open. */
  async blocking(constraints: readonly Constraint[]): Promise<Block | null> {
    await this.load(constraints);
    const now = this.#options.now();
    let last: Block | null = null;
    for (const constraint of constraints) {
      const at = this.#timeOf(constraint);
      if (at > now && at > (last?.at ?? 0)) last = { constraint, at };
    }
    return last;
  }

  /** The rule that closes an email the longest; null: all are open. */
  async blockingRule(constraints: readonly Constraint[]): Promise<PacingRule | null> {
    const block = await this.blocking(constraints);
    return (block && this.#rules.get(block.constraint.ruleId)) ?? null;
  }

  /** Somebody waits for the next slot of a limit. */
  awaitSlot(constraint: Constraint): void {
    const pace = this.#paceOf(constraint);
    const slots = this.#stateOf(constraint).slots;
    if (!pace || !slots || slots.isAwaited) return;
    this.#change(constraint, { slots: { ...slotsUnder(slots, pace, this.#options.now()), isAwaited: true } });
  }

  /** Counts emails that wait for limits. */
  countWaiting(constraints: readonly Constraint[], by: number): void {
    for (const constraint of constraints) {
      if (!this.#paceOf(constraint)) continue;
      this.#change(constraint, { waiting: Math.max(0, this.#stateOf(constraint).waiting + by) });
    }
  }

  /** An email leaves, and uses a slot of each limit. */
  spendSlots(constraints: readonly Constraint[]): void {
    for (const constraint of constraints) {
      const pace = this.#paceOf(constraint);
      if (!pace) continue;
      const { slots } = this.#stateOf(constraint);
      this.#change(constraint, { slots: afterHandOff(slots, pace, this.#options.now()) });
    }
  }

  #stateOf(constraint: Constraint): ScopeState {
    return this.#scopes.get(constraintKey(constraint)) ?? unusedScope;
  }

  #change(constraint: Constraint, to: Partial<ScopeState>): void {
    const state = { ...this.#stateOf(constraint), ...to };
    this.#scopes.set(constraintKey(constraint), state);
    this.#options.pending.setScope(constraint, state);
  }

  /** null: the constraint is none of a limit. */
  #paceOf({ ruleId, value }: Constraint): Pace | null {
    const rule = this.#rules.get(ruleId);
    if (rule?.kind !== 'limit') return null;
    const { amount, perSeconds } = rule.limit;
    return { amount, perSeconds, spread: this.#options.rules.spread, seed: `${ruleId} ${value}` };
  }

  #timeOf(constraint: Constraint): number {
    const rule = this.#rules.get(constraint.ruleId);
    if (rule?.kind === 'hours') return this.#opening(rule.schedule);
    const now = this.#options.now();
    const pace = this.#paceOf(constraint);
    return pace ? openAt(this.#stateOf(constraint).slots, pace, now) : now;
  }

  #opening(schedule: Schedule): number {
    const now = this.#options.now();
    const known = this.#hours.get(schedule);
    if (known && known.from <= now && now < known.until) return Math.max(now, known.opensAt);
    const opensAt = nextOpening(schedule, now);
    const until = opensAt > now ? opensAt : nextClosing(schedule, now);
    this.#hours.set(schedule, { from: now, until, opensAt });
    return opensAt;
  }
}
