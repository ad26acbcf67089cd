/** The operations of members. */
import { parley } from '../../api/parley.ts';
import type { Role } from '../../api/session.ts';

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly outage_mail: boolean;
  readonly created_at: string | null;
}

export async function listMembers(cursor: string | undefined) {
  const { data, next_cursor } = await parley.request<{ data: Member[]; next_cursor: string | null }>(
    'GET',
    '/members',
    {
      query: { limit: 100, cursor },
    },
  );
  return { items: data, next_cursor };
}

export const createMember = (body: Pick<Member, 'email' | 'role' | 'outage_mail'>): Promise<Member> =>
  parley.request('POST', '/members', { body });

export const changeMember = (
  id: string,
  body: Partial<Pick<Member, 'role' | 'outage_mail'>>,
): Promise<Member> => parley.request('PATCH', `/members/${id}`, { body });

export const deleteMember = (id: string): Promise<void> => parley.request('DELETE', `/members/${id}`);
