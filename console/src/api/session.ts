/** Signing in and out: the requests of `/console/...`, which are no operations of the API. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { ParleyError } from 'parley-client';

export type Role = 'owner' | 'admin' | 'member' | 'viewer';
export type Scope = 'full' | 'sending' | 'read';

export interface Session {
  readonly email: string;
  readonly role: Role;
  readonly scope: Scope;
  readonly workspace: { readonly id: string; readonly slug: string; readonly name: string };
  readonly expires_at: string;
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      'X-Console-Request': '1',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const { code = 'unexpected_response', detail = 'The service did not answer as expected.' } = (answer ??
    {}) as { code?: string; detail?: string };
  throw new ParleyError(code, {
    detail,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    request: `${method} ${path}`,
  });
}

/** null: nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    return (await call('GET', '/console/session')) as Session;
  } catch (error) {
    if (error instanceof ParleyError && error.status === 401) return null;
    throw error;
  }
}

export async function requestLink(email: string): Promise<void> {
  await call('POST', '/console/login', { email });
}

/** Whom a link signs in where; does not use it up. */
export async function previewLink(token: string): Promise<Session> {
  return (await call('POST', '/console/enter?preview=true', { token })) as Session;
}

/** Uses up the token of a link, and sets the cookie. */
export async function enter(token: string): Promise<void> {
  await call('POST', '/console/enter', { token });
}

export async function signOut({ everywhere }: { readonly everywhere: boolean }): Promise<void> {
  await call('DELETE', `/console/session${everywhere ? '?everywhere=true' : ''}`);
}

/** Shows the sign-in, and forgets what was read. `clear` would take the session from the page that watches it. */
export function forgetSession(client: QueryClient): void {
  client.setQueryData(['session'], null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

/** The session; `data` is null where nobody is signed in. */
export function useSessionQuery() {
  return useQuery({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000, retry: false });
}

/** The session of a page behind the sign-in. */
export function useSession(): Session {
  const session = useQueryClient().getQueryData<Session | null>(['session']);
  if (!session) throw new Error('The page is shown without a session.');
  return session;
}

const order: readonly Scope[] = ['read', 'sending', 'full'];

/** Whether the person may do what needs `scope`. */
export function useMay(scope: Scope): boolean {
  return order.indexOf(useSession().scope) >= order.indexOf(scope);
}
