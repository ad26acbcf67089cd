/** `GET /health`: reports that the API is up. It calls no other service, so frequent checks are cheap. */
import { servePublic } from '../../lib/http/serve-public.ts';

export const handler = servePublic('health', () => JSON.stringify({ status: 'ok' }));
