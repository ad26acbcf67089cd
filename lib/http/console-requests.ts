/** What the routes of the console's sign-in have in common: their checks, and the representation of a session. */
import * as z from 'zod';
import { roleScopes } from '../core/access/access.ts';
import { isFromConsole, sessionCookie } from '../core/access/session.ts';
import { Problem } from '../core/problems.ts';
import { normalizeAddress } from '../mail/addresses/addresses.ts';
import type { Session } from '../services/console/sessions.ts';
import { invalid, parseOptions } from './issues.ts';
import type { PublicRequest, PublicResponse } from './serve-public.ts';

export const notFromConsole = () =>
  new Problem(
    'forbidden',
    'A request that changes something with a session needs "X-Console-Request: 1" and the Origin of the deployment.',
  );

/**
 * The body of a request of the console.
 *
 * @throws Problem forbidden where it does not come from a page of the deployment, invalid_request, or as `readJson`
 */
export function readConsoleBody<Schema extends z.ZodType>(
  request: PublicRequest,
  schema: Schema,
): z.output<Schema> {
  requireConsole(request);
  const parsed = schema.safeParse(request.json(), parseOptions);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues, { code: 'invalid_request', detail: 'The body failed validation.' });
}

/** @throws Problem forbidden */
export function requireConsole({ baseUrl, headers }: Pick<PublicRequest, 'baseUrl' | 'headers'>): void {
  if (!isFromConsole(baseUrl, headers)) throw notFromConsole();
}

export const loginSchema = z.strictObject({
  email: z.string().transform((text, context) => {
    const address = normalizeAddress(text.trim());
    if (address) return address;
    context.addIssue({ code: 'custom', message: 'must be an email address' });
    return z.NEVER;
  }),
});

export const enterSchema = z.strictObject({ token: z.string() });

/** @param token empty: the cookie is removed */
export function withCookie({ baseUrl }: Pick<PublicRequest, 'baseUrl'>, token: string): PublicResponse {
  return { status: 204, headers: { 'set-cookie': sessionCookie(baseUrl, token) }, body: '' };
}

/** The JSON of a session, or of what a link signs in to. */
export function presentSession({ member, workspace, endsAt }: Session): string {
  const { email, role } = member;
  const { id, slug, name } = workspace;
  return JSON.stringify({
    email,
    role,
    scope: roleScopes[role],
    workspace: { id, slug, name },
    expires_at: new Date(endsAt).toISOString(),
  });
}

export const noSession = () =>
  new Problem('unauthorized', 'Nobody is signed in. Ask for a sign-in link.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
