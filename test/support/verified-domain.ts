/** Domains that are verified by their published records. */
import { randomBytes } from 'node:crypto';
import type { AnyBody, Api } from './api.ts';
import { type DomainBody, publish } from './published-domain.ts';

export type VerifiedDomain = AnyBody & DomainBody;

/** Creates a domain in a space or in the workspace, publishes its records, and verifies it. */
export async function verifiedDomain(client: Api, spaceId: string | null): Promise<VerifiedDomain> {
  const name = `v${randomBytes(6).toString('hex')}.test`;
  const { body } = await client.post<VerifiedDomain>('/domains', { name, space_id: spaceId });
  await publish(body);
  await client.post(`/domains/${body.id}/verify`);
  return body;
}
