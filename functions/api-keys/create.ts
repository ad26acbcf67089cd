/** Creates an API key of the caller's workspace. */
import { presentApiKey } from '../../lib/http/presenters/api-key.ts';
import { serve } from '../../lib/http/serve.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { inheritedRestrictions } from '../../lib/services/api-keys/inherited-restrictions.ts';
import { createApiKeyOperation } from './create.contract.ts';

export const handler = serve(createApiKeyOperation, async ({ caller, body }) => {
  const { workspaceId, actor } = caller;
  const asked = { expiresAt: body.expires_at, allowedIps: body.allowed_ips };
  const restrictions = await inheritedRestrictions(workspaceId, actor, asked);
  const input = { name: body.name, scope: body.scope, ...restrictions };
  const { key, token } = await createKey(workspaceId, input, actor);
  return { status: 201, body: { ...presentApiKey(key), key: token } };
});
