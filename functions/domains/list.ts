/** Lists domains. */
import { presentDomain } from '../../lib/http/records/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { withParents } from '../../lib/services/domain-check.ts';
import { listDomains } from '../../lib/storage/domains.ts';
import { getSpace } from '../../lib/storage/spaces.ts';
import { listDomainsOperation } from './list.contract.ts';

export const handler = serve(
  listDomainsOperation,
  async ({ caller: { workspaceId }, query, page, nextCursor }) => {
    const [domains] = await Promise.all([
      listDomains(workspaceId, query.space, page()),
      query.space ? getSpace(workspaceId, query.space) : null,
    ]);
    const shown = await withParents(workspaceId, domains.items);
    return { status: 200, body: { data: shown.map(presentDomain), next_cursor: nextCursor(domains.next) } };
  },
);
