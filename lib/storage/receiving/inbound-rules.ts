/** Inbound rules, with an index by scope and pattern: mail reads the rules that can match it, however many there are. */
import type { InboundRuleId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import {
  decideByRules,
  type InboundRule,
  patternsOf,
  type RuleScope,
  ruleActions,
  type TierFindings,
  tiersOf,
} from '../../core/receiving/inbound-rules.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { codec, id, nullable, number, oneOf, sortKey, text } from '../table/codec.ts';
import { countCreated, countDeleted } from '../table/counters.ts';
import { expressionsOf } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { listFiltered, listPage } from '../table/paging.ts';
import { get, getMany } from '../table/reads.ts';
import type { Item } from '../table/table.ts';
import { absent, commit, commitIfUnchanged, refusalOf, type Write } from '../table/transactions.ts';
import { unlessDeleted, withoutDeleted } from '../workspaces/deleted-spaces.ts';
import { rulesUseCodec } from '../workspaces/workspaces.ts';

const ruleCodec = codec<InboundRule>('inbound rule', {
  id: sortKey(id('rul')),
  spaceId: nullable(id('spc')),
  address: nullable(text),
  action: oneOf(ruleActions),
  pattern: text,
  note: nullable(text),
  createdAt: number,
  revision: number,
});
const indexCodec = codec<{ readonly ruleId: InboundRuleId }>('index of inbound rules', { ruleId: id('rul') });
const allowsCodec = codec<{ readonly allows: number }>('allow rules of a scope', { allows: number });

/** Stores a new rule. */
export async function createInboundRule(
  workspaceId: WorkspaceId,
  rule: InboundRule,
): Promise<'created' | 'limit_reached' | 'duplicate'> {
  try {
    await commit(workspaceId, [
      countCreated(workspaceId, 'inbound-rules', limits.inboundRules),
      noteUse(workspaceId),
      { as: 'rule', put: encode(workspaceId, rule), ...absent },
      ...indexed(workspaceId, rule),
    ]);
    return 'created';
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === 'counter') return 'limit_reached';
    if (refusal === 'index') return 'duplicate';
    throw error;
  }
}

/** Is never taken back: a message of a workspace that has no rule any more looks for one in vain. */
function noteUse(workspaceId: WorkspaceId): Write {
  const set = rulesUseCodec.encode({ usesInboundRules: true });
  return {
    as: 'workspace',
    update: keys.workspaceKey(workspaceId),
    ...expressionsOf({ set }, { exists: true }),
  };
}

function encode(workspaceId: WorkspaceId, rule: InboundRule): Item {
  return { ...keys.inboundRuleKey(workspaceId, rule.id), ...ruleCodec.encode(rule) };
}

function indexed(workspaceId: WorkspaceId, rule: InboundRule): Write[] {
  const key = keys.inboundRuleIndexKey(workspaceId, rule, rule.pattern, rule.action);
  return [
    { as: 'index', put: { ...key, ...indexCodec.encode({ ruleId: rule.id }) }, ...absent },
    ...(rule.action === 'allow' ? [oneAllowRuleMore(workspaceId, rule)] : []),
  ];
}

async function unindexed(workspaceId: WorkspaceId, rule: InboundRule): Promise<Write[]> {
  return [
    { as: 'index of before', delete: keys.inboundRuleIndexKey(workspaceId, rule, rule.pattern, rule.action) },
    ...(rule.action === 'allow' ? [await oneAllowRuleLess(workspaceId, rule)] : []),
  ];
}

/** The last rule takes the number with it: no list leads to it. */
async function oneAllowRuleLess(workspaceId: WorkspaceId, scope: RuleScope): Promise<Write> {
  const key = keys.allowRulesKey(workspaceId, scope);
  const item = await get(key);
  const before = item ? allowsCodec.decode(item).allows : 0;
  const isBefore = expressionsOf({}, { equal: { allows: before } });
  if (before <= 1) return { as: 'allow rules', delete: key, ...(item && isBefore) };
  return { as: 'allow rules', put: { ...key, ...allowsCodec.encode({ allows: before - 1 }) }, ...isBefore };
}

function oneAllowRuleMore(workspaceId: WorkspaceId, scope: RuleScope): Write {
  return {
    as: 'allow rules',
    update: keys.allowRulesKey(workspaceId, scope),
    UpdateExpression: 'ADD #allows :one',
    ExpressionAttributeNames: { '#allows': 'allows' },
    ExpressionAttributeValues: { ':one': 1 },
  };
}

/** A rule of the workspace, or null. */
export async function findInboundRule(
  workspaceId: WorkspaceId,
  ruleId: InboundRuleId,
): Promise<InboundRule | null> {
  const reading = get(keys.inboundRuleKey(workspaceId, ruleId));
  return await unlessDeleted(
    workspaceId,
    reading.then((item) => item && ruleCodec.decode(item)),
  );
}

/** Stores a change of action or note. */
export async function updateInboundRule(
  workspaceId: WorkspaceId,
  before: InboundRule,
  after: InboundRule,
): Promise<'updated' | 'changed' | 'duplicate'> {
  const isBefore = expressionsOf({}, { equal: { revision: before.revision } });
  const moved =
    before.action === after.action
      ? []
      : [...(await unindexed(workspaceId, before)), ...indexed(workspaceId, after)];
  try {
    await commit(workspaceId, [{ as: 'rule', put: encode(workspaceId, after), ...isBefore }, ...moved]);
    return 'updated';
  } catch (error) {
    return refusalOf(error) === 'index' ? 'duplicate' : 'changed';
  }
}

/** Deletes a rule. False where it is not as it was. */
export async function deleteInboundRule(workspaceId: WorkspaceId, rule: InboundRule): Promise<boolean> {
  const isBefore = expressionsOf({}, { equal: { revision: rule.revision } });
  return await commitIfUnchanged(workspaceId, [
    { as: 'rule', delete: keys.inboundRuleKey(workspaceId, rule.id), ...isBefore },
    countDeleted(workspaceId, 'inbound-rules'),
    ...(await unindexed(workspaceId, rule)),
  ]);
}

/** A page of rules, oldest first. @param space undefined: all */
export async function listInboundRules(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
  paging: Paging,
): Promise<Page<InboundRule>> {
  const input = { pk: keys.inboundRules(workspaceId), order: 'oldest first' as const, ...paging };
  return await withoutDeleted(workspaceId, async (isKept) => {
    const keep = (item: Item) => {
      const rule = ruleCodec.decode(item);
      return (space === undefined || rule.spaceId === space) && (isKept?.(rule) ?? true);
    };
    const isFiltered = isKept || space !== undefined;
    const page = isFiltered ? await listFiltered(input, keep, 'most') : await listPage(input);
    return { items: page.items.map(ruleCodec.decode), next: page.next };
  });
}

/** A page of the rules of a deleted space, or of an erased workspace. */
export async function listInboundRulesToRemove(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  paging: Paging,
): Promise<Page<InboundRule>> {
  const input = { pk: keys.inboundRules(workspaceId), order: 'oldest first' as const, ...paging };
  const isOfScope = (item: Item) => scope === 'workspace' || ruleCodec.decode(item).spaceId === scope;
  const page = await listFiltered(input, isOfScope, 'most');
  return { items: page.items.map(ruleCodec.decode), next: page.next };
}

/**
 * What the rules of a workspace say of a sender's mail to each recipient, in their order. Consistent; one turn of reads,
 * however many rules there are.
 */
export async function judgeByRules(
  { workspaceId, spaceId }: { readonly workspaceId: WorkspaceId; readonly spaceId: SpaceId | null },
  from: string,
  recipients: readonly string[],
): Promise<ReturnType<typeof decideByRules>[]> {
  const patterns = patternsOf(from);
  return await Promise.all(
    recipients.map(async (recipient) => {
      const tiers = tiersOf(spaceId, recipient).map((tier) =>
        Promise.all(tier.map((scope) => findingsOf(workspaceId, scope, patterns))),
      );
      return decideByRules((await Promise.all(tiers)).map(merged));
    }),
  );
}

const ruleOf = (item: Item | null | undefined): InboundRuleId | null =>
  item ? indexCodec.decode(item).ruleId : null;

async function findingsOf(
  workspaceId: WorkspaceId,
  scope: RuleScope,
  patterns: readonly string[],
): Promise<TierFindings> {
  const [allows, ...items] = await getMany([
    keys.allowRulesKey(workspaceId, scope),
    ...patterns.map((pattern) => keys.inboundRuleIndexKey(workspaceId, scope, pattern, 'block')),
    ...patterns.map((pattern) => keys.inboundRuleIndexKey(workspaceId, scope, pattern, 'allow')),
  ]);
  const blocks = items.slice(0, patterns.length).map(ruleOf);
  return {
    blockedBy: blocks.find((one) => one !== null) ?? null,
    isAllowed: items.slice(patterns.length).some((item) => item !== null),
    hasAllowRules: allows ? allowsCodec.decode(allows).allows > 0 : false,
  };
}

function merged(scopes: readonly TierFindings[]): TierFindings {
  return {
    blockedBy: scopes.map(({ blockedBy }) => blockedBy).find((one) => one !== null) ?? null,
    isAllowed: scopes.some(({ isAllowed }) => isAllowed),
    hasAllowRules: scopes.some(({ hasAllowRules }) => hasAllowRules),
  };
}
