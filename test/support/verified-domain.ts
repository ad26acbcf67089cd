/** Domains that are verified by their published records. */
import { randomBytes } from 'node:crypto';
import type { AnyBody, Api } from './api.ts';
import { cloud } from './cloud.ts';

export interface VerifiedDomain extends AnyBody {
  readonly name: string;
  readonly records: readonly { type: string; name: string; value: string; priority: number | null }[];
}

/** Creates a domain in a space or in the workspace, publishes its records, and verifies it. */
export async function verifiedDomain(client: Api, spaceId: string | null): Promise<VerifiedDomain> {
  const name = `v${randomBytes(6).toString('hex')}.test`;
  const { body } = await client.post<VerifiedDomain>('/domains', { name, space_id: spaceId });
  const records = body.records.map(({ type, name: at, value, priority }) => ({
    type,
    name: at,
    value,
    priority,
  }));
  await cloud().control('POST', '/dns', { records });
  await client.post(`/domains/${body.id}/verify`);
  return body;
}
