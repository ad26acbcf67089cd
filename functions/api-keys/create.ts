/** Creates an API key of the caller's workspace. */
import { presentApiKey } from '../../lib/http/presenters/api-key.ts';
import { serve } from '../../lib/http/serve.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { createApiKeyOperation } from './create.contract.ts';

export const handler = serve(createApiKeyOperation, async ({ caller, body }) => {
  const { key, token } = await createKey(
    caller.workspaceId,
    { name: body.name, scope: body.scope, expiresAt: body.expires_at, allowedIps: body.allowed_ips },
    caller.keyId,
  );
  return { status: 201, body: { ...presentApiKey(key), key: token } };
});
