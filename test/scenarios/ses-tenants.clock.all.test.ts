/** An SES tenant for each workspace (docs/decisions/0050-ses-tenants.md), on a cloud of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generousGuardRails } from '../../lib/local/limits.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type OwnCloud, startOwnCloud } from '../support/own-cloud.ts';
import { type DomainBody, publish } from '../support/published-domain.ts';

const region = 'us-east-1';
let own: OwnCloud;
let mails = 0;

beforeAll(async () => {
  own = await startOwnCloud({
    guardRails: { ...generousGuardRails, sesTenants: true },
    limits: { ses: { managementCallsPerSecond: Number.POSITIVE_INFINITY } },
  });
});
afterAll(() => own.close());

type Workspace = Awaited<ReturnType<OwnCloud['workspace']>>;

interface TenantBody {
  readonly name: string;
  readonly resources: readonly string[];
}

/** Sends a mail and returns the tenants that it was submitted for. */
async function send({ key, providedDomain }: Workspace) {
  const to = `tenant-${++mails}@people.example.test`;
  const body = { from: `a@${providedDomain}`, to, subject: 'Hello', text: 'Hello' };
  expect((await api(key).post('/emails', body)).status).toBe(201);
  await cloud().waitForQuiescence();
  return (await cloud().sentTo(to)).map(({ tenant }) => tenant);
}

async function tenants(): Promise<readonly TenantBody[]> {
  return (await cloud().control<{ data: TenantBody[] }>('GET', `/ses/${region}/tenants`)).data;
}

describe('a workspace with an SES tenant', () => {
  it('sends without it first, and with it once it is made', async () => {
    const ours = await own.workspace();
    expect(await send(ours)).toEqual([null]);
    const made = (await tenants()).find(({ name }) => name === ours.id);
    expect(made?.resources.map((arn) => arn.split(':').at(-1))).toEqual([
      expect.stringMatching(/^configuration-set\//),
      'identity/mail.parley.test',
    ]);
    expect(await send(ours)).toEqual([ours.id]);
  });

  it('is suspended, and alone, when SES has paused the tenant; its mail goes when both are resumed', async () => {
    const [ours, other] = [await own.workspace(), await own.workspace()];
    for (const one of [ours, other]) await send(one);
    await cloud().control('POST', `/ses/${region}/tenants/${ours.id}`, { paused: true });
    const to = 'waits@people.example.test';
    const body = { from: `a@${ours.providedDomain}`, to, subject: 'Hello', text: 'Hello' };
    expect((await api(ours.key).post('/emails', body)).status).toBe(201);
    await cloud().waitForQuiescence();
    expect(await cloud().sentTo(to)).toEqual([]);
    expect(await send(other)).toEqual([other.id]);
    const refused = await api(ours.key).post('/emails', body);
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'workspace_suspended',
      expect.stringContaining('reputation'),
    ]);
    await cloud().control('POST', `/ses/${region}/tenants/${ours.id}`, { paused: false });
    await own.resume(ours.id);
    await cloud().advance(1800);
    expect(await cloud().sentTo(to)).toHaveLength(1);
  });

  it('sends without the tenant when somebody has deleted it, and makes it again', async () => {
    const ours = await own.workspace();
    await send(ours);
    await cloud().control('DELETE', `/ses/${region}/tenants/${ours.id}`);
    expect(await send(ours)).toEqual([null]);
  });
});

describe('the SES tenant of an erased workspace', () => {
  it('is deleted', async () => {
    const ours = await own.workspace();
    await send(ours);
    const names = async () => (await tenants()).map(({ name }) => name);
    expect(await names()).toContain(ours.id);
    await own.erase(ours.id);
    // The mail of the workspace is removed when nobody writes any more, and the tenant after it.
    for (let pass = 0; pass < 5 && (await names()).includes(ours.id); pass++) {
      await cloud().waitForQuiescence();
      await cloud().advance(901);
    }
    expect(await names()).not.toContain(ours.id);
  });
});

describe('an identity of a tenant', () => {
  it('is deleted with its associations when its last domain is deleted', async () => {
    const ours = await own.workspace();
    const client = api(ours.key);
    const { body: domain } = await client.post<DomainBody>('/domains', { name: 'tenant.example' });
    await publish(domain);
    await client.post(`/domains/${domain.id}/verify`);
    await cloud().waitForQuiescence();
    const to = 'own-domain@people.example.test';
    await client.post('/emails', { from: 'a@tenant.example', to, subject: 'Hello', text: 'Hello' });
    await cloud().waitForQuiescence();
    const resources = async () => (await tenants()).find(({ name }) => name === ours.id)?.resources ?? [];
    expect((await resources()).filter((arn) => arn.endsWith('identity/tenant.example'))).toHaveLength(1);
    expect((await client.delete(`/domains/${domain.id}`)).status).toBe(204);
    await cloud().waitForQuiescence();
    expect((await resources()).filter((arn) => arn.endsWith('identity/tenant.example'))).toEqual([]);
  });
});
