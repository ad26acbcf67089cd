/** Version 1 through a strict client that is generated from its document: domains, errors, the schema of webhooks. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { v1Client } from '../support/v1-client.ts';
import { workspace } from '../support/workspace.ts';

interface DnsRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string;
  readonly priority?: number;
}

const newName = (suffix: string) => `d${randomBytes(6).toString('hex')}.${suffix}`;

async function begin() {
  const own = await workspace();
  const v1 = v1Client(own);
  const create = async (domain: string) => {
    const { status, body } = await v1('createDomain', { domain });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as { domainId: string; records: readonly DnsRecord[] };
  };
  const publish = (records: readonly DnsRecord[]) =>
    Promise.all(
      records.map(({ type, name, value, priority }) =>
        cloud().control('POST', '/dns', { type, name, value, priority }),
      ),
    );
  return { own, v1, v2: api(own), create, publish };
}

describe('a domain of version 1', () => {
  it('is verified by its published records, with a report of what DNS has', async () => {
    const { v1, v2, create, publish } = await begin();
    const name = newName('test');
    const { domainId, records } = await create(name);
    await publish(records);
    expect(records.map(({ type }) => type).sort()).toEqual(['MX', 'MX', 'TXT', 'TXT', 'TXT']);
    const before = (await v1('retrieveDomain', domainId)).body;
    expect(before).toMatchObject({ domain: name, status: 'PENDING_VERIFICATION', verifiedAt: null });
    expect(before.dnsRecords.every((one: { isVerified: boolean }) => !one.isVerified)).toBe(true);
    // Published client libraries know optional fields as absent, not as null.
    expect(JSON.stringify([records, before.dnsRecords])).not.toContain('null');
    expect(records.filter(({ type }) => type === 'MX').map(({ priority }) => priority)).toEqual([10, 10]);

    await v1('verifyDomain', domainId);
    await cloud().waitForQuiescence();
    const { domain, verification } = (await v1('verifyDomain', domainId)).body;
    const dkim = records.find(({ name: at }) => at.includes('._domainkey.'));
    const inbound = records.find((one) => one.type === 'MX' && one.name === name);
    expect(domain).toMatchObject({
      domain: name,
      status: 'VERIFIED',
      dkimStatus: 'Success',
      isManagedDefault: false,
    });
    expect(domain.dnsRecords).toMatchObject(
      records.map((record) => ({ ...record, isVerified: true, verificationStatus: 'verified' })),
    );
    expect(verification).toEqual({
      verification: 'Success',
      dkimStatus: 'Success',
      dns: {
        domainVerification: true,
        spf: true,
        mx: { found: true, expectedPriority: 10, records: [{ exchange: inbound?.value, priority: 10 }] },
        dkim: { [dkim?.name ?? '']: true },
        dmarc: { present: true, source: 'subdomain' },
        mailFrom: { domain: `bounces.${name}`, mx: true, spf: true },
      },
      mxConflict: { hasConflict: false, conflictingRecords: [] },
      ready: true,
      debug: {
        domain: name,
        expectedVerificationToken: dkim?.value,
        actualVerificationTokens: [dkim?.value],
        verificationTokenMatch: true,
      },
    });
    const listed = (await v1('listDomains')).body.domains;
    expect(listed.map((one: { status: string }) => one.status)).toEqual(['VERIFIED', 'VERIFIED']);
    expect(listed.map((one: { isManagedDefault: boolean }) => one.isManagedDefault)).toEqual([true, false]);
    expect((await v2.get(`/domains/${domainId}`)).body.verified_at).toBe(domain.verifiedAt);
    expect((await v1('deleteDomain', domainId)).body).toEqual({ success: true });
    expect((await v1('retrieveDomain', domainId)).body.code).toBe('NOT_FOUND');
  });

  it('is reported with what is missing and which MX records conflict', async () => {
    const { v1, create } = await begin();
    const name = newName('example');
    const { domainId } = await create(name);
    await cloud().control('POST', '/dns', { type: 'MX', name, value: 'mx.other.example', priority: 5 });
    const { domain, verification } = (await v1('verifyDomain', domainId)).body;
    expect(domain).toMatchObject({
      status: 'PENDING_VERIFICATION',
      dkimStatus: 'Pending',
      verifiedAt: null,
    });
    expect(verification).toMatchObject({
      verification: 'Pending',
      dkimStatus: 'Pending',
      dns: { domainVerification: false, dmarc: { present: false, source: 'none' }, mx: { found: false } },
      mxConflict: {
        hasConflict: true,
        conflictingRecords: [{ exchange: 'mx.other.example', priority: 5 }],
        message: expect.stringContaining('mx.other.example'),
      },
      ready: false,
      debug: { actualVerificationTokens: [], verificationTokenMatch: false },
    });
  });

  it('is verified by its wildcard when it is a subdomain, and has the DMARC policy of the domain above', async () => {
    const { v1, v2, create, publish } = await begin();
    const name = newName('test');
    const { body: wildcard } = await v2.post<{ id: string; records: DnsRecord[] }>('/domains', {
      name: `*.${name}`,
    });
    await publish(wildcard.records);
    await v2.post(`/domains/${wildcard.id}/verify`);
    await cloud().waitForQuiescence();
    const { domainId, records } = await create(`shop.${name}`);
    expect(records).toEqual([]);
    const { domain, verification } = (await v1('verifyDomain', domainId)).body;
    expect(domain).toMatchObject({ domain: `shop.${name}`, dnsRecords: [], dkimStatus: 'Success' });
    expect(verification).toMatchObject({ ready: true, debug: { domain: name } });
    expect((await v1('retrieveDomain', domainId)).body.status).toBe('VERIFIED');
  });

  it('that the deployment provides is verified and cannot be deleted', async () => {
    const { v1 } = await begin();
    const [provided] = (await v1('listDomains')).body.domains;
    const { verification } = (await v1('verifyDomain', provided.id)).body;
    expect(verification).toMatchObject({
      verification: 'Success',
      dns: { domainVerification: true, dkim: {} },
      mxConflict: { conflictingRecords: [] },
    });
    expect(JSON.stringify(verification)).not.toContain('null');
    const { status, body } = await v1('deleteDomain', provided.id);
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('answers BAD_REQUEST for names that are invalid or taken, and NOT_FOUND for unknown ids', async () => {
    const { v1, create } = await begin();
    for (const domain of [
      '',
      'acme',
      '-a.example',
      'a..example',
      'acme.123',
      'a b.example',
      '*.acme.example',
    ]) {
      const { status, body } = await v1('createDomain', { domain });
      expect([status, body.code], domain).toEqual([400, 'BAD_REQUEST']);
      expect(body.issues[0].path).toBe('domain');
    }
    const name = newName('example');
    await create(name);
    expect((await v1('createDomain', { domain: name })).body).toMatchObject({
      code: 'BAD_REQUEST',
      issues: [],
    });
    for (const operation of ['retrieveDomain', 'deleteDomain', 'verifyDomain']) {
      for (const id of [newId('dom'), newId('thr'), 'x'])
        expect((await v1(operation, id)).body.code).toBe('NOT_FOUND');
    }
  });
});

describe('version 1', () => {
  it('authenticates with the keys and scopes of version 2, and shows the request budget', async () => {
    const { own, v1 } = await begin();
    const { headers } = await v1('listDomains');
    for (const name of ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
      expect(headers.get(name), name).not.toBeNull();
    }
    const anonymous = await v1Client(null)('listDomains');
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
    const reading = v1Client(await own.keyOf('read'));
    const refused = await reading('createDomain', { domain: newName('example') });
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    expect((await reading('searchThreads', {})).status).toBe(200);
  });

  it('answers NOT_FOUND with Allow when a path lacks the method', async () => {
    const { own } = await begin();
    const { status, body, headers } = await api(own).request('PUT', '/api/v1/domains', { body: {} });
    expect([status, body]).toEqual([
      404,
      { code: 'NOT_FOUND', message: expect.stringContaining('GET, POST'), issues: [] },
    ]);
    expect(headers.allow).toBe('GET, POST');
  });
});
