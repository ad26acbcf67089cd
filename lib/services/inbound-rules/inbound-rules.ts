/** Inbound rules as the API manages them (docs/concepts/inbound-rules.md). */
import { now } from '../../adapters/clock.ts';
import { newId } from '../../adapters/ids.ts';
import type { InboundRuleId, SpaceId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { invalidField, Problem } from '../../core/problems.ts';
import type { InboundRule, RuleAction } from '../../core/receiving/inbound-rules.ts';
import * as store from '../../storage/receiving/inbound-rules.ts';
import { conflict, retryOnConflict } from '../retry-on-conflict.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';

const duplicate = () => invalidField('pattern', 'has a rule with this action and scope already');

/** @throws Problem limit_reached, not_found (space), and invalid_request for a pattern that has such a rule */
export async function createInboundRule(
  workspaceId: WorkspaceId,
  settings: Pick<InboundRule, 'spaceId' | 'address' | 'action' | 'pattern' | 'note'>,
): Promise<InboundRule> {
  await checkSpaceFilter(workspaceId, settings.spaceId);
  const rule: InboundRule = { ...settings, id: newId('rul'), createdAt: now(), revision: 1 };
  return await retryOnConflict(`inbound rule ${rule.id}`, async () => {
    const outcome = await store.createInboundRule(workspaceId, rule);
    if (outcome === 'duplicate') throw duplicate();
    if (outcome === 'limit_reached') {
      throw new Problem('limit_reached', `A workspace has at most ${limits.inboundRules} inbound rules.`);
    }
    return rule;
  });
}

/** @throws Problem not_found */
export async function getInboundRule(workspaceId: WorkspaceId, id: InboundRuleId): Promise<InboundRule> {
  const rule = await store.findInboundRule(workspaceId, id);
  if (!rule) throw new Problem('not_found', 'There is no such inbound rule.');
  return rule;
}

/** A page of rules, oldest first. @throws Problem not_found (space) */
export async function listInboundRules(
  workspaceId: WorkspaceId,
  space: SpaceId | null | undefined,
  paging: Paging,
): Promise<Page<InboundRule>> {
  const [page] = await Promise.all([
    store.listInboundRules(workspaceId, space, paging),
    checkSpaceFilter(workspaceId, space),
  ]);
  return page;
}

/** @throws Problem not_found, and invalid_request where there is a rule with the new action */
export async function updateInboundRule(
  workspaceId: WorkspaceId,
  id: InboundRuleId,
  change: { readonly action?: RuleAction | undefined; readonly note?: string | null | undefined },
): Promise<InboundRule> {
  return await retryOnConflict(`inbound rule ${id}`, async () => {
    const before = await getInboundRule(workspaceId, id);
    const after = {
      ...before,
      action: change.action ?? before.action,
      note: change.note === undefined ? before.note : change.note,
      revision: before.revision + 1,
    };
    const outcome = await store.updateInboundRule(workspaceId, before, after);
    if (outcome === 'duplicate') throw duplicate();
    return outcome === 'updated' ? after : conflict;
  });
}

/** @throws Problem not_found */
export async function deleteInboundRule(workspaceId: WorkspaceId, id: InboundRuleId): Promise<void> {
  await retryOnConflict(`inbound rule ${id}`, async () => {
    const rule = await getInboundRule(workspaceId, id);
    return (await store.deleteInboundRule(workspaceId, rule)) ? undefined : conflict;
  });
}
