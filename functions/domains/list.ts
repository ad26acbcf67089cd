/** Lists domains. */
import { presentDomain } from '../../lib/http/presenters/domain.ts';
import { serve } from '../../lib/http/serve.ts';
import { withParentVerification } from '../../lib/services/domains/check-domain.ts';
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
    const shown = await withParentVerification(workspaceId, domains.items);
    return { status: 200, body: { data: shown.map(presentDomain), next_cursor: nextCursor(domains.next) } };
  },
);
