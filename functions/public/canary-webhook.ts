/** `POST /canary`: takes the webhooks of the canary. */
import { env } from '../../lib/env.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { isCanaryWebhook } from '../../lib/services/canary/receive-canary.ts';

export const handler = servePublic('canary-webhook', async ({ headers, body }) => {
  const signature = headers[`${env().BRAND.toLowerCase()}-signature`] ?? '';
  return { status: (await isCanaryWebhook(signature, body)) ? 204 : 401, headers: {}, body: '' };
});
