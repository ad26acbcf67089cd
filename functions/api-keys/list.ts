/** Lists API keys. */
import { presentApiKey } from '../../lib/http/presenters/api-key.ts';
import { serve } from '../../lib/http/serve.ts';
import { listKeys } from '../../lib/services/api-keys/api-keys.ts';
import { listApiKeysOperation } from './list.contract.ts';

export const handler = serve(listApiKeysOperation, async ({ caller, page, nextCursor }) => {
  const { items, next } = await listKeys(caller.workspaceId, page());
  return { status: 200, body: { data: items.map(presentApiKey), next_cursor: await nextCursor(next) } };
});
