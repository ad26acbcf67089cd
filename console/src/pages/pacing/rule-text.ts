/** Pacing rules in words. */
import type { PacingLimit, PacingRule } from 'parley-client';
import { visibleText } from '../../kit/visible-text.ts';
import { windowText } from './week.ts';

export const scopeTexts: Readonly<Record<PacingLimit['scope'], string>> = {
  rule: 'all matching mail together',
  from_domain: 'each domain of a sender',
  from_address: 'each sender',
  to_domain: "each recipient's domain",
  to_address: 'each recipient',
};

const units = [
  { seconds: 86_400, one: 'day', many: 'days' },
  { seconds: 3_600, one: 'hour', many: 'hours' },
  { seconds: 60, one: 'minute', many: 'minutes' },
  { seconds: 1, one: 'second', many: 'seconds' },
] as const;

/** "an hour" for 3600, "2 days". */
export function durationText(seconds: number): string {
  const unit = units.find((one) => seconds % one.seconds === 0) ?? units[3];
  const number = seconds / unit.seconds;
  return number === 1 ? `1 ${unit.one}` : `${number.toLocaleString()} ${unit.many}`;
}

export function ruleText(rule: PacingRule): string {
  if (rule.kind === 'hours') {
    return `${rule.schedule.windows.map(windowText).join('; ')} (${rule.schedule.timezone})`;
  }
  const { amount, per_seconds: seconds, scope } = rule.limit;
  return `${amount.toLocaleString()} in ${durationText(seconds)}, for ${scopeTexts[scope]}`;
}

export function matchText({ match }: Pick<PacingRule, 'match'>): string {
  if (match.length === 0) return 'every email';
  return match.map(({ field, pattern }) => `${field} ${visibleText(pattern)}`).join(' or ');
}
