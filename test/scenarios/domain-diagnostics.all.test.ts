/** Diagnostics of domains through HTTP and the local DNS server. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import type { DomainBody } from '../support/published-domain.ts';
import { workspace } from '../support/workspace.ts';

interface FindingBody {
  readonly id: string;
  readonly fix: string;
  readonly evidence: readonly object[];
}

const publish = (...records: object[]) => cloud().control('POST', '/dns', { records });
const fault = (name: string, kind: 'SERVFAIL' | 'timeout' | null) =>
  cloud().control('POST', '/dns/faults', { name, fault: kind });

/** A domain with its records in DNS; its DMARC policy is stricter than the one to begin with. */
async function domain(prefix = '') {
  const client = api(await workspace());
  const name = `d${randomBytes(6).toString('hex')}.test`;
  const create = async (named: string) => (await client.post<DomainBody>('/domains', { name: named })).body;
  const made = await create(`${prefix}${name}`);
  return {
    ...client,
    name,
    made,
    create,
    publishAll: () =>
      publish(
        ...made.records.map(({ type, name, value, priority }) => ({
          type,
          name,
          value: value.replace('p=none', 'p=reject'),
          priority,
        })),
      ),
    recordOf: (purpose: string) => made.records.find((record) => record.purpose === purpose)?.name ?? '',
    async diagnose(id = made.id) {
      const { status, body } = await client.get<{ data: FindingBody[] }>(`/domains/${id}/diagnostics`);
      expect(status).toBe(200);
      return body.data;
    },
  };
}

describe('GET /domains/{domain_id}/diagnostics', () => {
  it('has no finding when all records are published, and names the missing ones otherwise', async () => {
    const { diagnose, publishAll, name } = await domain();
    expect((await diagnose()).map(({ id }) => id)).toEqual(['domain_nxdomain']);
    await publish({ type: 'A', name, value: '192.0.2.1' });
    expect((await diagnose()).map(({ id }) => id)).toEqual([
      'dkim_missing',
      'return_path_missing',
      'spf_missing',
      'dmarc_missing',
      'mx_missing',
    ]);
    await publishAll();
    expect(await diagnose()).toEqual([]);
  });

  it('says what was seen and which record to publish', async () => {
    const { diagnose, publishAll, name } = await domain();
    await publishAll();
    await publish({ type: 'MX', name, value: 'MX.Example.NET', priority: 5 });
    expect(await diagnose()).toEqual([
      {
        id: 'mx_conflict',
        severity: 'breaking',
        when: 'both',
        purpose: 'INBOUND',
        title: 'The MX records name another receiver, too.',
        detail:
          'The records name mx.example.net beside inbound-smtp.us-east-1.amazonaws.com. Senders use the lowest priority, ' +
          'and any of equal ones: a part or all of the mail goes to the other receiver.',
        fix:
          'Keep only this record, or receive on a subdomain of its own:\n' +
          `${name}. 3600 IN MX 10 inbound-smtp.us-east-1.amazonaws.com.`,
        evidence: [
          { name, type: 'MX', result: 'found', value: 'mx.example.net', priority: 5 },
          { name, type: 'MX', result: 'found', value: 'inbound-smtp.us-east-1.amazonaws.com', priority: 10 },
        ],
      },
    ]);
  });

  it('says that DNS fails when it gives an error or no answer, within ten seconds', async () => {
    const { diagnose, publishAll, recordOf, made } = await domain();
    await publishAll();
    await fault(recordOf('DKIM'), 'SERVFAIL');
    expect(await diagnose()).toMatchObject([
      {
        id: 'dns_failing',
        evidence: [{ name: recordOf('DKIM'), type: 'TXT', result: 'failed' }, { type: 'CNAME' }],
      },
    ]);
    for (const { name } of made.records) await fault(name, 'timeout');
    const startedAt = performance.now();
    expect((await diagnose()).map(({ id }) => id)).toEqual(['dns_failing']);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    for (const { name } of made.records) await fault(name, null);
    expect(await diagnose()).toEqual([]);
  });

  it('changes no state of the domain', async () => {
    const { diagnose, publishAll, get, made } = await domain();
    await publishAll();
    await diagnose();
    expect((await get<DomainBody>(`/domains/${made.id}`)).body).toEqual({ ...made, findings: [] });
  });

  it('names the subdomain of a wildcard that a record of its own hides', async () => {
    const { diagnose, publishAll, create, made, name } = await domain('*.');
    await publishAll();
    const [shop, blog] = [await create(`shop.${name}`), await create(`blog.${name}`)];
    expect(await diagnose()).toEqual([]);
    await publish({ type: 'A', name: `shop.${name}`, value: '192.0.2.1' });
    const shadowed = [{ id: 'wildcard_shadowed' }];
    expect(await diagnose(made.id)).toMatchObject(shadowed);
    expect(await diagnose(shop.id)).toMatchObject(shadowed);
    expect(await diagnose(blog.id)).toEqual([]);
    await publish({
      type: 'MX',
      name: `shop.${name}`,
      value: 'inbound-smtp.us-east-1.amazonaws.com',
      priority: 10,
    });
    expect(await diagnose(made.id)).toEqual([]);
  });

  it('has no finding for a provided domain', async () => {
    const { get, diagnose } = await domain();
    const { data } = (await get<{ data: { id: string; provided: boolean }[] }>('/domains')).body;
    expect(await diagnose(data.find(({ provided }) => provided)?.id)).toEqual([]);
  });
});
