/** Identities that SES does not accept: findings, and what other domains notice of them. */
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { parseId } from '../../lib/core/ids.ts';
import { syncIdentity } from '../../lib/services/domains/sync-identity.ts';
import { clearFaults, inject } from '../faults/kit.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type DomainBody, publish, unpublishDkim } from '../support/published-domain.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

afterEach(clearFaults);

/** A domain whose records are published and verified by us; SES is asked in the background. */
async function verified(own: TestWorkspace) {
  const client = api(own);
  const name = `i${randomBytes(6).toString('hex')}.test`;
  const { body: made } = await client.post<DomainBody>('/domains', { name });
  const verify = async () => (await client.post<DomainBody>(`/domains/${made.id}/verify`)).body;
  return {
    id: made.id,
    name,
    verify,
    publish: () => publish(made, ['DKIM']),
    unpublish: () => unpublishDkim(made),
    read: async () => (await client.get<DomainBody>(`/domains/${made.id}`)).body,
    /** Sends a mail and returns its status and the reason of a failure, after quiescence. */
    async send() {
      const mail = { from: `a@${name}`, to: 'b@example.test', subject: 'S', text: 'T' };
      const { body } = await client.post<{ id: string }>('/emails', mail);
      await cloud().waitForQuiescence();
      const { body: email } = await client.get<{ status: string; events: { detail: string | null }[] }>(
        `/emails/${body.id}`,
      );
      return { status: email.status, detail: email.events[0]?.detail ?? null };
    },
  };
}

const createIdentity = { service: 'ses', action: 'CreateEmailIdentity', kind: 'error', times: 100 } as const;

describe('a domain that SES refuses', () => {
  it('has a finding, fails its mail, delays no other domain, and is tried again by verify', async () => {
    const own = await workspace();
    const [refused, other] = [await verified(own), await verified(own)];
    const code = 'BadRequestException';
    const message = 'The DKIM key is not supported.';
    await inject({ ...createIdentity, match: refused.name, code, message, status: 400 });
    for (const domain of [refused, other]) {
      await domain.publish();
      expect((await domain.verify()).verified_at).not.toBeNull();
    }
    await cloud().waitForQuiescence();
    expect((await refused.read()).findings).toEqual([
      {
        id: 'identity_refused',
        severity: 'breaking',
        when: 'added',
        purpose: 'DKIM',
        title: 'Amazon SES does not accept the domain.',
        detail: message,
        fix: 'Correct what the detail names, then verify the domain again.',
        evidence: [],
      },
    ]);
    expect(await refused.send()).toEqual({
      status: 'failed',
      detail: 'Amazon SES did not accept the sending domain; its findings give the reason',
    });
    expect((await other.read()).findings).toEqual([]);
    expect((await other.send()).status).toBe('delivered');

    await clearFaults();
    await cloud().advance(61);
    await refused.verify();
    await cloud().waitForQuiescence();
    expect((await refused.read()).findings).toEqual([]);
    expect((await refused.send()).status).toBe('delivered');
  });
});

describe('a domain for which SES fails', () => {
  it('is tried again and delays no other domain', async () => {
    const own = await workspace();
    const [failing, other] = [await verified(own), await verified(own)];
    await inject({ ...createIdentity, match: failing.name, code: 'InternalServerError', status: 500 });
    for (const domain of [failing, other]) {
      await domain.publish();
      await domain.verify();
    }
    await cloud().waitForQuiescence();
    expect((await other.send()).status).toBe('delivered');
    expect((await failing.send()).status).toBe('queued');
    expect((await failing.read()).findings).toEqual([]);
    await clearFaults();
    await cloud().advance(300);
    expect((await failing.send()).status).toBe('delivered');
  });
});

describe('a domain whose record SES does not find', () => {
  it('has a finding after the last poll, and is polled again by verify', async () => {
    const own = await workspace();
    const { id, name, publish, unpublish, verify, read, send } = await verified(own);
    await inject({ ...createIdentity, match: name, code: 'InternalServerError', status: 500 });
    await publish();
    await verify();
    await cloud().waitForQuiescence();
    await unpublish();
    await clearFaults();
    await cloud().advance(30);
    expect((await send()).status).toBe('queued');
    const message = { kind: 'sync-identity', v: 1, workspaceId: own.id, name, region: 'us-east-1' } as const;
    await syncIdentity({ ...message, domainId: parseId('dom', id) ?? newId('dom'), polls: 100 });
    expect((await read()).findings).toMatchObject([
      { id: 'identity_not_verified', detail: 'Amazon SES looked for the record for 72 hours.' },
    ]);
    expect((await send()).status).toBe('failed');
    await publish();
    await cloud().advance(61);
    await verify();
    await cloud().waitForQuiescence();
    await cloud().advance(60);
    expect((await read()).findings).toEqual([]);
    expect((await send()).status).toBe('delivered');
  });
});
