/** Domains that are verified by their published records. */
import { randomBytes } from 'node:crypto';
import type { AnyBody, Api } from './api.ts';
import { cloud } from './cloud.ts';
import { type DomainBody, publish } from './published-domain.ts';

export type VerifiedDomain = AnyBody & DomainBody;

/** Creates a domain in a space or in the workspace, publishes its records, verifies it, and waits until SES accepts its mail:
 * mail that is sent earlier waits 15 seconds or more. */
export async function verifiedDomain(client: Api, spaceId: string | null): Promise<VerifiedDomain> {
  const name = `v${randomBytes(6).toString('hex')}.test`;
  const { body } = await client.post<VerifiedDomain>('/domains', { name, space_id: spaceId });
  await publish(body);
  await client.post(`/domains/${body.id}/verify`);
  await cloud().waitForQuiescence();
  return body;
}
