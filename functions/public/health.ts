/** `GET /health`: says that the API is up. It asks nobody else, so that a load balancer may ask it often. */
import { servePublic } from '../../lib/http/serve-public.ts';

export const handler = servePublic('health', () => JSON.stringify({ status: 'ok' }));
