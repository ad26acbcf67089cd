/** A browser at the console: its cookie, and the headers that its pages send. */

import type { MemberRole } from '../../lib/core/access/access.ts';
import { createSession } from '../../lib/services/console/sessions.ts';
import { addMember } from '../../lib/services/workspaces/workspaces.ts';
import { type Api, type ApiRequest, type ApiResponse, api, clientWith } from './api.ts';
import { cloud } from './cloud.ts';
import type { TestWorkspace } from './workspace.ts';

export const ownOrigin = (): string => new URL(cloud().baseUrl).origin;

/** The headers of a request that changes something. */
export const consoleHeaders = (): Record<string, string> => ({
  'x-console-request': '1',
  origin: ownOrigin(),
});

/** The token in a `Set-Cookie`. */
export function tokenOf({ headers }: Pick<ApiResponse, 'headers'>): string {
  return /^parley_session=([^;]*)/.exec(headers['set-cookie'] ?? '')?.[1] ?? '';
}

export interface Browser extends Api {
  readonly token: string;
}

/** Requests with a session. @param through the cloud, or `apiInProcess` */
export function browser(token: string, through: (caller: null) => Api = api): Browser {
  const client = through(null);
  const request = <T>(method: string, path: string, given: ApiRequest = {}) =>
    client.request<T>(method, path, {
      ...given,
      headers: { cookie: `other=1; parley_session=${token}`, ...consoleHeaders(), ...given.headers },
    });
  return { token, ...clientWith(request) };
}

/** A new member of a workspace. */
export async function newMember(
  ours: TestWorkspace,
  role: MemberRole,
  label: string = role,
): Promise<string> {
  const email = `${label}-${ours.slug}@people.example.test`;
  await addMember(ours.id, { email, role, outageMail: true });
  return email;
}

/** A new member, signed in. */
export async function signedIn(
  ours: TestWorkspace,
  role: MemberRole,
  through: (caller: null) => Api = api,
): Promise<Browser & { readonly email: string }> {
  const email = await newMember(ours, role);
  const session = await createSession(ours.id, email);
  if (!session) throw new Error('the member cannot sign in');
  return { ...browser(session, through), email };
}
