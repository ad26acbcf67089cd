/** What a domain tracks of the mail sent from it. */
import type { DomainId, WorkspaceId } from '../../core/ids.ts';
import { getDomain, saveDomain } from '../../storage/domains.ts';

/** How often a change begins again because a check wrote the domain meanwhile. */
const triesMax = 5;

/** Changes what is given. @throws Problem not_found */
export async function changeTracking(
  workspaceId: WorkspaceId,
  id: DomainId,
  change: { opens: boolean | undefined; clicks: boolean | undefined },
): Promise<void> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const before = await getDomain(workspaceId, id);
    const tracking = {
      opens: change.opens ?? before.tracking.opens,
      clicks: change.clicks ?? before.tracking.clicks,
    };
    if (await saveDomain(workspaceId, before, { ...before, tracking }, [])) return;
  }
  throw new Error(`the domain ${id} keeps changing`);
}
