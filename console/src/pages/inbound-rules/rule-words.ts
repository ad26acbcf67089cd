/** What an inbound rule does, in sentences (docs/concepts/inbound-rules.md). */
import type { InboundRule } from 'parley-client';
import { visibleText } from '../../kit/visible-text.ts';

export type RuleScope = Pick<InboundRule, 'address' | 'space_id'>;
export type RuleFacts = RuleScope & Pick<InboundRule, 'action' | 'pattern'>;

/** Names of spaces by their ids. */
export type SpaceNames = ReadonlyMap<string, string>;

/** Whose mail a pattern matches. */
export function sendersText(pattern: string): string {
  const shown = visibleText(pattern.trim());
  if (shown.startsWith('@*.')) return `every address below ${shown.slice(3)}`;
  if (shown.startsWith('@')) return `every address at ${shown.slice(1)}`;
  if (shown.includes('+*@')) return `${shown.replace('+*@', '@')} with any tag`;
  return shown || 'the sender';
}

export function placeText({ address, space_id: space }: RuleScope, names: SpaceNames): string {
  const inSpace = space ? `in the space ${visibleText(names.get(space) ?? space)}` : '';
  if (!address) return inSpace || 'in the whole workspace';
  return [`at ${visibleText(address)}`, inSpace].filter(Boolean).join(' ');
}

/** Whether two rules decide together: those of a narrower scope decide before. */
export function isSameScope(one: RuleScope, other: RuleScope): boolean {
  if (one.address !== other.address) return false;
  if (one.space_id === other.space_id) return true;
  return one.address !== null && (one.space_id === null || other.space_id === null);
}

/**
 * What a rule changes, before it is made.
 *
 * @param hasAllowRules whether its scope has other allow rules; null: not known
 */
export function effectText(rule: RuleFacts, names: SpaceNames, hasAllowRules: boolean | null): string {
  const [senders, place] = [sendersText(rule.pattern), placeText(rule, names)];
  if (rule.action === 'block') {
    return `From the next message on, mail from ${senders} is blocked ${place}.`;
  }
  if (hasAllowRules) {
    return `From the next message on, mail from ${senders} is let in ${place}. Senders that no allow rule names stay blocked there.`;
  }
  return `From the next message on, mail from ${senders} is let in ${place}, and everything else is blocked there.`;
}

/** What changes when a rule is deleted. */
export function lossText(rule: RuleFacts, names: SpaceNames, hasAllowRules: boolean | null): string {
  const [senders, place] = [sendersText(rule.pattern), placeText(rule, names)];
  if (rule.action === 'block') {
    return `From the next message on, mail from ${senders} is received again ${place}, unless another rule blocks it.`;
  }
  if (hasAllowRules) {
    return `From the next message on, mail from ${senders} is blocked ${place}, as of all senders that no other allow rule names.`;
  }
  if (hasAllowRules === null) {
    return `Where it is the last allow rule ${place}, everybody can write there again; where it is not, mail from ${senders} is blocked.`;
  }
  return `It is the last allow rule ${place}: from the next message on, everybody can write there again, unless another rule blocks them.`;
}
