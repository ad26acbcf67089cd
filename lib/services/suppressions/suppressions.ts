/** Suppressions as the API manages them (docs/concepts/suppressions.md). */
import type { SuppressionId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Page, Paging } from '../../core/page.ts';
import { Problem } from '../../core/problems.ts';
import type { Suppression, SuppressionInput } from '../../core/suppressions/suppression.ts';
import * as store from '../../storage/sending/suppressions.ts';
import { checkSpaceFilter } from '../spaces/spaces.ts';

const notFound = () => new Problem('not_found', 'There is no such suppression.');

/** Suppresses addresses by request; the suppressions in the order of the addresses. @throws Problem not_found (space), limit_reached */
export async function createSuppressions(
  workspaceId: WorkspaceId,
  addresses: readonly string[],
  input: Pick<SuppressionInput, 'key' | 'scope' | 'spaceId' | 'note'>,
): Promise<Suppression[]> {
  await checkSpaceFilter(workspaceId, input.spaceId);
  const manual = { ...input, reason: 'manual', sourceEmailId: null } as const;
  const suppressions = await store.suppressAll(workspaceId, addresses, manual);
  if (suppressions) return suppressions;
  throw new Problem('limit_reached', `A workspace has at most ${limits.suppressions} suppressions.`);
}

/** @throws Problem not_found */
export async function getSuppression(workspaceId: WorkspaceId, id: SuppressionId): Promise<Suppression> {
  const suppression = await store.findSuppression(workspaceId, id);
  if (!suppression) throw notFound();
  return suppression;
}

/** Deletes a suppression, effective with the next send. @throws Problem not_found */
export async function deleteSuppression(workspaceId: WorkspaceId, id: SuppressionId): Promise<void> {
  if (!(await store.deleteSuppression(workspaceId, id))) throw notFound();
}

/** A page of suppressions, newest first. @throws Problem not_found (space) */
export async function listSuppressions(
  workspaceId: WorkspaceId,
  filter: store.SuppressionFilter,
  paging: Paging,
): Promise<Page<Suppression>> {
  const [page] = await Promise.all([
    store.listSuppressions(workspaceId, filter, paging),
    checkSpaceFilter(workspaceId, filter.space),
  ]);
  return page;
}
