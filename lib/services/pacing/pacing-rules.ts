/** Pacing rules as the API manages them (docs/concepts/pacing.md#rules). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { PacingRuleId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Schedule } from '../../core/pacing/hours.ts';
import type { Limit, PacingRule, RuleEffect, RuleSettings } from '../../core/pacing/rule.ts';
import type { Page, Paging } from '../../core/page.ts';
import { invalidField, Problem } from '../../core/problems.ts';
import * as store from '../../storage/pacing/pacing-rules.ts';
import { findSendingGuard } from '../../storage/sending/sending-guards.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';
import { paceMailMessage } from './pace-mail-message.ts';

const notFound = () => new Problem('not_found', 'There is no such pacing rule.');

/** The pacer sorts what is held by the rules as they are then. */
const callPacer = (workspaceId: WorkspaceId) => [{ message: paceMailMessage(workspaceId) }];

/** @throws Problem limit_reached, not_found (space) */
export async function createRule(
  workspaceId: WorkspaceId,
  settings: RuleSettings & RuleEffect & { readonly spaceId: SpaceId | null },
): Promise<PacingRule> {
  await checkSpaceFilter(workspaceId, settings.spaceId);
  const rule: PacingRule = { ...settings, id: newId('pace'), createdAt: now(), revision: 1 };
  if (!(await store.createRule(workspaceId, rule, callPacer(workspaceId)))) {
    throw new Problem('limit_reached', `A workspace has at most ${limits.pacingRules} pacing rules.`);
  }
  return rule;
}

/** @throws Problem not_found */
export async function getRule(workspaceId: WorkspaceId, id: PacingRuleId): Promise<PacingRule> {
  const rule = await store.findRule(workspaceId, id);
  if (!rule) throw notFound();
  return rule;
}

/** A page of rules, oldest first. @throws Problem not_found (space) */
export async function listRules(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
  paging: Paging,
): Promise<Page<PacingRule>> {
  const [page] = await Promise.all([
    store.listRules(workspaceId, space, paging),
    checkSpaceFilter(workspaceId, space),
  ]);
  return page;
}

type RuleChange = { readonly [Name in keyof RuleSettings]?: RuleSettings[Name] | undefined } & {
  readonly schedule?: Schedule | undefined;
  readonly limit?: Limit | undefined;
};

/** Changes what `change` names. @throws Problem not_found, and invalid_request for a field of the other kind */
export async function updateRule(
  workspaceId: WorkspaceId,
  id: PacingRuleId,
  change: RuleChange,
): Promise<PacingRule> {
  return await retryOnConflict(`pacing rule ${id}`, async () => {
    const before = await getRule(workspaceId, id);
    const after = changedRule(before, change);
    const isStored = await store.updateRule(workspaceId, before, after, callPacer(workspaceId));
    return isStored ? after : conflict;
  });
}

function changedRule(before: PacingRule, { schedule, limit, ...change }: RuleChange): PacingRule {
  const other = before.kind === 'hours' ? limit && 'limit' : schedule && 'schedule';
  if (other) throw invalidField(other, `does not belong to a rule of kind ${before.kind}`);
  const settings = {
    name: change.name ?? before.name,
    enabled: change.enabled ?? before.enabled,
    match: change.match ?? before.match,
    revision: before.revision + 1,
  };
  return before.kind === 'hours'
    ? { ...before, ...settings, schedule: schedule ?? before.schedule }
    : { ...before, ...settings, limit: limit ?? before.limit };
}

/** Deletes a rule; what it holds goes on within a minute. @throws Problem not_found */
export async function deleteRule(workspaceId: WorkspaceId, id: PacingRuleId): Promise<void> {
  await getRule(workspaceId, id);
  if (!(await store.deleteRule(workspaceId, id, callPacer(workspaceId)))) throw notFound();
}

/** How far slots are from their even places, 0 to 100. */
export async function getSpread(workspaceId: WorkspaceId): Promise<number> {
  return (await findSendingGuard(workspaceId)).pacingSpread;
}

export async function setSpread(workspaceId: WorkspaceId, spread: number): Promise<number> {
  await store.setSpread(workspaceId, spread, callPacer(workspaceId));
  return spread;
}
