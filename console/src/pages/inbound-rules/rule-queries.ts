/** What the pages of inbound rules read. */
import type { InboundRule } from 'parley-client';
import { parley } from '../../api/parley.ts';
import { useApi } from '../../api/queries.ts';
import { isSameScope, type RuleScope, type SpaceNames } from './rule-words.ts';

/** Rules that are looked through for allow rules; a workspace has at most 10,000. */
const lookedThroughMax = 2_000;

/** Spaces that can be chosen from a list; a rule of another one is shown with its id. */
const spacesMax = 1_000;

export function useSpaces() {
  return (
    useApi(['spaces', 'first'], () => parley.spaces.list({ limit: 100 }).toArray({ max: spacesMax })).data ??
    []
  );
}

export function useSpaceNames(): SpaceNames {
  return new Map(useSpaces().map(({ id, name }) => [id, name]));
}

interface AllowRules {
  readonly rules: readonly InboundRule[];
  readonly isWhole: boolean;
}

async function readAllowRules(): Promise<AllowRules> {
  const rules: InboundRule[] = [];
  let seen = 0;
  for await (const rule of parley.inboundRules.list({ limit: 100 })) {
    if (rule.action === 'allow') rules.push(rule);
    seen += 1;
    if (seen === lookedThroughMax) return { rules, isWhole: false };
  }
  return { rules, isWhole: true };
}

/**
 * Whether a scope has allow rules, but for the rule of an id; null: not known.
 *
 * @param isEnabled whether it is asked at all
 */
export function useHasAllowRules(
  scope: RuleScope,
  exceptId: string | null,
  isEnabled: boolean,
): boolean | null {
  const { data } = useApi(['inbound-rules', 'allow'], readAllowRules, { isEnabled });
  if (!data) return null;
  const found = data.rules.some((rule) => rule.id !== exceptId && isSameScope(rule, scope));
  return found || (data.isWhole ? false : null);
}
