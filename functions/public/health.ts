/** `GET /health`: reports whether the API is up and reads its table. */
import { servePublic } from '../../lib/http/serve-public.ts';
import { isTableReadable } from '../../lib/services/health/table-health.ts';

export const handler = servePublic('health', async () => {
  if (await isTableReadable()) return JSON.stringify({ status: 'ok' });
  const headers = { 'content-type': 'application/json', 'retry-after': '5' };
  return { status: 503, headers, body: JSON.stringify({ status: 'unavailable' }) };
});
