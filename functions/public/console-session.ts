/** `GET /console/session`: who is signed in. */
import { presentSession } from '../../lib/http/console-requests.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { requireSession } from '../../lib/http/session-caller.ts';

export const handler = servePublic('console-session', async (request) =>
  presentSession(await requireSession(request)),
);
