/** `POST /console/login`: has sign-in links mailed. The answer is the same whether the address is a member's. */
import { loginSchema, readConsoleBody } from '../../lib/http/console-requests.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { requestLinks } from '../../lib/services/console/request-links.ts';

const detail = 'If the address belongs to a member, a mail with a link is on its way.';

export const handler = servePublic('console-login', async (request) => {
  const { email } = readConsoleBody(request, loginSchema);
  await requestLinks(email, request.sourceIp, request.baseUrl);
  return {
    status: 202,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ detail }),
  };
});
