/** Pacing rules of a workspace. Their version is in the sending guard, which acceptance reads in any case. */
import type { PacingRuleId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Window } from '../../core/pacing/hours.ts';
import {
  type Limit,
  limitScopes,
  matchFields,
  type PacingRule,
  type RuleMatch,
  type RuleSet,
} from '../../core/pacing/rule.ts';
import type { Page, Paging } from '../../core/page.ts';
import type { OutboxMessage } from '../../core/queue-messages.ts';
import type { TeardownScope } from '../../core/workspaces/teardown.ts';
import { findSendingGuard, raisePacingVersion } from '../sending/sending-guards.ts';
import {
  codec,
  flag,
  id,
  list,
  nullable,
  number,
  object,
  oneOf,
  sortKey,
  sparseList,
  text,
} from '../table/codec.ts';
import { countCreated, countDeleted } from '../table/counters.ts';
import { expressionsOf } from '../table/expressions.ts';
import { pacingRuleKey, pacingRules } from '../table/keys.ts';
import { listFiltered, listPage } from '../table/paging.ts';
import { get } from '../table/reads.ts';
import { type Item, queryAll } from '../table/table.ts';
import { absent, ConditionFailed, commit, commitIfUnchanged, present } from '../table/transactions.ts';
import { findDeletedSpaces, isDeleted, unlessDeleted, withoutDeleted } from '../workspaces/deleted-spaces.ts';

type StoredRule = Pick<
  PacingRule,
  'id' | 'name' | 'enabled' | 'match' | 'spaceId' | 'createdAt' | 'revision' | 'kind'
> & {
  readonly schedule: { readonly timezone: string; readonly windows: readonly Window[] } | null;
  readonly limit: Limit | null;
};

const ruleCodec = codec<StoredRule>('pacing rule', {
  id: sortKey(id('pace')),
  name: text,
  enabled: flag,
  match: sparseList(object<RuleMatch>({ field: oneOf(matchFields), pattern: text })),
  spaceId: nullable(id('spc')),
  createdAt: number,
  revision: number,
  kind: oneOf(['hours', 'limit']),
  schedule: nullable(
    object({
      timezone: text,
      windows: list(object<Window>({ days: list(number), startMinute: number, endMinute: number })),
    }),
  ),
  limit: nullable(object<Limit>({ scope: oneOf(limitScopes), amount: number, perSeconds: number })),
});

function decode(item: Item): PacingRule {
  const { kind, schedule, limit, ...rule } = ruleCodec.decode(item);
  if (kind === 'hours' && schedule) return { ...rule, kind, schedule };
  if (kind === 'limit' && limit) return { ...rule, kind, limit };
  throw new Error(`pacing rule ${rule.id} has no ${kind}`);
}

function encode(workspaceId: WorkspaceId, rule: PacingRule): Item {
  const effect =
    rule.kind === 'hours' ? { schedule: rule.schedule, limit: null } : { schedule: null, limit: rule.limit };
  return { ...pacingRuleKey(workspaceId, rule.id), ...ruleCodec.encode({ ...rule, ...effect }) };
}

/** Stores a new rule with its messages. False where the workspace has `limits.pacingRules`: nothing was written. */
export async function createRule(
  workspaceId: WorkspaceId,
  rule: PacingRule,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  return await commitIfUnchanged(
    workspaceId,
    [
      countCreated(workspaceId, 'pacing-rules', limits.pacingRules),
      { as: 'rule', put: encode(workspaceId, rule), ...absent },
      raisePacingVersion(workspaceId),
    ],
    messages,
  );
}

/** A rule of the workspace, or null. */
export async function findRule(workspaceId: WorkspaceId, ruleId: PacingRuleId): Promise<PacingRule | null> {
  const reading = get(pacingRuleKey(workspaceId, ruleId));
  return await unlessDeleted(
    workspaceId,
    reading.then((item) => item && decode(item)),
  );
}

/** Stores a change of a rule with its messages. False where the rule is not `before` any more. */
export async function updateRule(
  workspaceId: WorkspaceId,
  before: PacingRule,
  after: PacingRule,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  const isBefore = expressionsOf({}, { equal: { revision: before.revision } });
  return await commitIfUnchanged(
    workspaceId,
    [{ as: 'rule', put: encode(workspaceId, after), ...isBefore }, raisePacingVersion(workspaceId)],
    messages,
  );
}

/** Deletes a rule. False where there is none. */
export async function deleteRule(
  workspaceId: WorkspaceId,
  ruleId: PacingRuleId,
  messages: readonly OutboxMessage[],
): Promise<boolean> {
  try {
    await commit(
      workspaceId,
      [
        { as: 'rule', delete: pacingRuleKey(workspaceId, ruleId), ...present },
        countDeleted(workspaceId, 'pacing-rules'),
        raisePacingVersion(workspaceId),
      ],
      messages,
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** A page of rules, oldest first. @param space undefined: all */
export async function listRules(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
  paging: Paging,
): Promise<Page<PacingRule>> {
  const input = { pk: pacingRules(workspaceId), order: 'oldest first' as const, ...paging };
  return await withoutDeleted(workspaceId, async (isKept) => {
    const keep = (item: Item) => {
      const rule = decode(item);
      return (space === undefined || rule.spaceId === space) && (isKept?.(rule) ?? true);
    };
    const page =
      isKept || space !== undefined ? await listFiltered(input, keep, 'most') : await listPage(input);
    return { items: page.items.map(decode), next: page.next };
  });
}

/** The rules that are in force, with their version. The version is read first: rules may be newer, never older. */
export async function loadRules(workspaceId: WorkspaceId): Promise<RuleSet> {
  const { pacingVersion, pacingSpread } = await findSendingGuard(workspaceId);
  if (pacingVersion === 0) return { version: 0, spread: pacingSpread, rules: [] };
  return { version: pacingVersion, spread: pacingSpread, rules: await loadAllRules(workspaceId) };
}

/** All rules outside of deleted spaces; their number is limited. */
export async function loadAllRules(workspaceId: WorkspaceId): Promise<readonly PacingRule[]> {
  const [items, deleted] = await Promise.all([
    queryAll(pacingRules(workspaceId)),
    findDeletedSpaces(workspaceId),
  ]);
  return items.map(decode).filter(({ spaceId }) => !isDeleted(deleted, spaceId));
}

/** A page of the rules of a deleted space, or of an erased workspace. */
export async function listRulesToRemove(
  workspaceId: WorkspaceId,
  scope: TeardownScope,
  paging: Paging,
): Promise<Page<PacingRuleId>> {
  const input = { pk: pacingRules(workspaceId), order: 'oldest first' as const, ...paging };
  const isOfScope = (item: Item) => scope === 'workspace' || decode(item).spaceId === scope;
  const page = await listFiltered(input, isOfScope, 'most');
  return { items: page.items.map((item) => decode(item).id), next: page.next };
}

/** Sets the spread of a workspace, with its messages. */
export async function setSpread(
  workspaceId: WorkspaceId,
  spread: number,
  messages: readonly OutboxMessage[],
): Promise<void> {
  await commit(workspaceId, [raisePacingVersion(workspaceId, spread)], messages);
}
