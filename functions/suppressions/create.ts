/** Creates suppressions. */
import { presentSuppression } from '../../lib/http/presenters/suppression.ts';
import { serve } from '../../lib/http/serve.ts';
import { getSpace } from '../../lib/storage/spaces.ts';
import { suppressAll } from '../../lib/storage/suppressions.ts';
import { createSuppressionsOperation } from './create.contract.ts';

export const handler = serve(createSuppressionsOperation, async ({ caller: { workspaceId }, body }) => {
  const { addresses, key, scope, space_id: spaceId, note } = body;
  if (spaceId) await getSpace(workspaceId, spaceId);
  const given = { key, scope, spaceId, note, reason: 'manual', sourceEmailId: null } as const;
  const suppressions = await suppressAll(workspaceId, addresses, given);
  return { status: 201, body: { data: suppressions.map(presentSuppression) } };
});
