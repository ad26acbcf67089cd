/** Domains while DNS does not answer: each look-up waits for its timeout. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type DomainBody, publish } from '../support/published-domain.ts';
import { workspace } from '../support/workspace.ts';

const statesOf = ({ records }: DomainBody) =>
  Object.fromEntries(records.map(({ purpose, state }) => [purpose, state]));

describe('a domain', () => {
  it('keeps its state when DNS does not answer', async () => {
    const client = api(await workspace());
    const created = await client.post<DomainBody>('/domains', {
      name: `d${randomBytes(6).toString('hex')}.test`,
    });
    expect(created.status).toBe(201);
    const verify = async () => {
      const answer = await client.post<DomainBody>(`/domains/${created.body.id}/verify`);
      expect(answer.status).toBe(200);
      return answer.body;
    };
    await publish(created.body);
    const verified = await verify();
    const dkim = verified.records[0]?.name ?? '';
    for (const fault of ['SERVFAIL', 'timeout']) {
      await cloud().control('POST', '/dns/faults', { name: dkim, fault });
      const asked = await verify();
      await cloud().control('POST', '/dns/faults', { name: dkim, fault: null });
      expect(asked.verified_at).toBe(verified.verified_at);
      expect(asked.records[0]).toEqual(verified.records[0]);
      expect(statesOf(asked)).toEqual(statesOf(verified));
    }
  });
});
