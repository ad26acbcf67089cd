/** Pacing rules: which messages they match, and by what a limit counts (docs/concepts/pacing.md). */

import { matchesPattern } from '../../mail/addresses/address-pattern.ts';
import { addressKey, hostOf } from '../../mail/addresses/addresses.ts';
import type { PacingOptions } from '../emails/email.ts';
import type { PacingRuleId, SpaceId } from '../ids.ts';
import type { Schedule } from './hours.ts';

export const matchFields = ['from', 'to', 'either'] as const;

export interface RuleMatch {
  readonly field: (typeof matchFields)[number];
  /** An address in which `*` matches any characters. */
  readonly pattern: string;
}

/** From wide to narrow: what waits is grouped in this order. */
export const limitScopes = ['rule', 'from_domain', 'from_address', 'to_domain', 'to_address'] as const;
export type LimitScope = (typeof limitScopes)[number];

/** A rolling window: at most `amount` messages in `perSeconds`, for each value of the scope. */
export interface Limit {
  readonly scope: LimitScope;
  readonly amount: number;
  readonly perSeconds: number;
}

export interface RuleSettings {
  readonly name: string;
  readonly enabled: boolean;
  /** Empty: every message. */
  readonly match: readonly RuleMatch[];
}

/** What a rule does: it opens by the hour, or it limits the rate. */
export type RuleEffect =
  | { readonly kind: 'hours'; readonly schedule: Schedule }
  | { readonly kind: 'limit'; readonly limit: Limit };

export type PacingRule = RuleSettings &
  RuleEffect & {
    readonly id: PacingRuleId;
    readonly spaceId: SpaceId | null;
    readonly createdAt: number;
    /** Raised by each change; writers compare it. */
    readonly revision: number;
  };

/** The rules of a workspace, as one version. */
export interface RuleSet {
  /** Raised by each change of a rule or of the spread; 0: there has never been a rule. */
  readonly version: number;
  /** 0 to 100. */
  readonly spread: number;
  readonly rules: readonly PacingRule[];
}

/** What rules look at in a message. */
export interface PacedMessage {
  readonly spaceId: SpaceId | null;
  readonly from: string;
  /** Envelope recipients. */
  readonly to: readonly string[];
}

/** The enabled rules that match a message: those of the workspace and of its space. */
export function matchingRules(
  { rules }: Pick<RuleSet, 'rules'>,
  message: PacedMessage,
): readonly PacingRule[] {
  return rules.filter(
    (rule) =>
      rule.enabled && (rule.spaceId === null || rule.spaceId === message.spaceId) && matches(rule, message),
  );
}

function matches({ match }: RuleSettings, { from, to }: PacedMessage): boolean {
  const byField = { from: [from], to, either: [from, ...to] };
  return (
    match.length === 0 ||
    match.some(({ field, pattern }) => byField[field].some((address) => matchesPattern(pattern, address)))
  );
}

/** A rule that a message waits for, with the value that a limit counts by; empty for hours and for limits of scope `rule`. */
export interface Constraint {
  readonly ruleId: PacingRuleId;
  readonly value: string;
}

/** The distinct values of a message by which a limit counts. */
export function scopeValues(scope: LimitScope, { from, to }: PacedMessage): readonly string[] {
  switch (scope) {
    case 'rule':
      return [''];
    case 'from_domain':
      return [hostOf(addressKey(from))];
    case 'from_address':
      return [addressKey(from)];
    case 'to_domain':
      return [...new Set(to.map((address) => hostOf(addressKey(address))))].sort();
    case 'to_address':
      return [...new Set(to.map(addressKey))].sort();
  }
}

/** What a message waits for, from wide to narrow. */
export interface Constraints {
  /** Groups, from wide to narrow: everything in one waits for the same values of one scope. Without those of `to_address`. */
  readonly groups: readonly (readonly Constraint[])[];
  /** Those of `to_address`. */
  readonly own: readonly Constraint[];
}

/** The constraints of a message under the rules that match it. The first group has hours and limits of scope `rule`. */
export function constraintsOf(rules: readonly PacingRule[], message: PacedMessage): Constraints {
  const of = (scope: LimitScope): Constraint[] =>
    rules.flatMap((rule) => {
      const isOfScope = rule.kind === 'limit' ? rule.limit.scope === scope : scope === 'rule';
      return isOfScope ? scopeValues(scope, message).map((value) => ({ ruleId: rule.id, value })) : [];
    });
  const [gates = [], ...valued] = (['rule', 'from_domain', 'from_address', 'to_domain'] as const).map(of);
  return { groups: [gates, ...valued.filter((group) => group.length > 0)], own: of('to_address') };
}

/** All constraints of a message. */
export function allConstraints({ groups, own }: Constraints): readonly Constraint[] {
  return [...groups.flat(), ...own];
}

export const defaultPacing: PacingOptions = { skip: false, count: true };
