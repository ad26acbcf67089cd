/** A workspace that is spread for the stores of this thread, as the setting `spreadWorkspaces` does for functions. */
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { env } from '../../lib/env.ts';

/** @param fromMs null: it is not spread */
export function spread(workspaceId: WorkspaceId, fromMs: number | null): void {
  // The parsed environment is one object of the thread. Ids are random: nothing else meets the entry.
  const entries = env().SPREAD_WORKSPACES as Map<string, number>;
  if (fromMs === null) entries.delete(workspaceId);
  else entries.set(workspaceId, fromMs);
}
