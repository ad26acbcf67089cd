/** The caller of a request by its session. Apart from `serve.ts`, since requests with keys do not need it. */
import type { Caller } from '../core/access/api-key.ts';
import { isFromConsole, tokenInCookies } from '../core/access/session.ts';
import { findCallerOfSession, findSession, type Session } from '../services/console/sessions.ts';
import { noSession, notFromConsole } from './console-requests.ts';
import type { RequestContext } from './request-context.ts';
import type { PublicRequest } from './serve-public.ts';
import { versionOf } from './versions.ts';

/**
 * The caller of a request; null where its cookies have no session that is in force. Sessions are for version 2 only.
 *
 * @throws Problem forbidden for a change that does not come from the console
 */
export async function findSessionCaller({ event, headers, baseUrl }: RequestContext): Promise<Caller | null> {
  const token = tokenInCookies(baseUrl, event.cookies ?? []);
  if (token === null || versionOf(event.rawPath) === 1) return null;
  const { method } = event.requestContext.http;
  if (method !== 'GET' && method !== 'HEAD' && !isFromConsole(baseUrl, headers)) throw notFromConsole();
  return await findCallerOfSession(token);
}

/** The session of a request for a page of the console. @throws Problem unauthenticated */
export async function requireSession({ baseUrl, cookies }: PublicRequest): Promise<Session> {
  const token = tokenInCookies(baseUrl, cookies);
  const session = token === null ? null : await findSession(token);
  if (!session) throw noSession();
  return session;
}
