/** Domains under concurrent requests, and names whose published key changes hands. */
import { randomBytes } from 'node:crypto';
import { GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { describe, expect, it } from 'vitest';
import { parseId } from '../../lib/core/ids.ts';
import { deleteDomain, findDomain } from '../../lib/storage/domains/domains.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type DomainBody, dkimOf, publish, unpublishDkim } from '../support/published-domain.ts';
import { workspace } from '../support/workspace.ts';

const newName = () => `r${randomBytes(6).toString('hex')}.test`;
const times = <T>(count: number, run: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => run(at)));
const counts = (values: readonly (number | string)[]) =>
  Object.fromEntries([...new Set(values)].sort().map((one) => [one, values.filter((v) => v === one).length]));

async function holder() {
  const own = await workspace();
  const client = api(own);
  return {
    ...client,
    workspaceId: own.id,
    create: (name: string) => client.post<DomainBody>('/domains', { name }),
    verify: async (id: string) => (await client.post<DomainBody>(`/domains/${id}/verify`)).body,
    list: async () => (await client.get<{ data: DomainBody[] }>('/domains?limit=100')).body.data,
    async send(from: string) {
      const body = { from, to: 'anna@example.test', subject: 'S', text: 'T' };
      const { body: email } = await client.post('/emails', body);
      await cloud().waitForQuiescence();
      return (await client.get<{ status: string }>(`/emails/${email.id}`)).body.status;
    },
  };
}

const publishKey = (domain: DomainBody) => publish(domain, ['DKIM']);

async function selectorAtSes(name: string): Promise<string | undefined> {
  const client = new SESv2Client({ region: 'us-east-1' });
  const { DkimAttributes } = await client.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
  client.destroy();
  return DkimAttributes?.Tokens?.[0];
}

describe('concurrent requests', () => {
  it('create one domain when many ask for the same name, as a wildcard or as its base', async () => {
    const { create, list } = await holder();
    const name = newName();
    const answers = await times(8, (at) => create(at % 2 === 0 ? name : `*.${name}`));
    expect(counts(answers.map(({ status, body }) => body.code ?? status))).toEqual({
      '201': 1,
      domain_taken: 7,
    });
    expect((await list()).filter((one) => one.name.endsWith(name))).toHaveLength(1);
  });

  it('leave no subdomain without its wildcard when the wildcard is deleted meanwhile', async () => {
    const { create, list, delete: remove } = await holder();
    const name = newName();
    for (let round = 0; round < 3; round++) {
      const { body: wild } = await create(`*.${name}`);
      await Promise.all([times(6, (at) => create(`s${at}.${name}`)), remove(`/domains/${wild.id}`)]);
      const left = (await list()).filter((one) => one.name.endsWith(name));
      expect(left.filter(({ parent_id }) => parent_id !== null)).toEqual([]);
      await Promise.all(left.map(({ id }) => remove(`/domains/${id}`)));
    }
  });

  it('leave no subdomain when the function dies after the wildcard is deleted', async () => {
    const { workspaceId, create, list } = await holder();
    const name = newName();
    const { body: wild } = await create(`*.${name}`);
    const { body: sub } = await create(`late.${name}`);
    expect(sub.parent_id).toBe(wild.id);
    const id = parseId('dom', wild.id);
    const domain = id && (await findDomain(workspaceId, id));
    if (!domain) throw new Error('the wildcard is missing');
    // What a function has written that dies before it looks for subdomains again.
    const message = { kind: 'check-domain', v: 1, workspaceId, domainId: domain.id } as const;
    await deleteDomain(workspaceId, domain, [{ message }]);
    await cloud().waitForQuiescence();
    expect((await list()).filter((one) => one.name.endsWith(name))).toEqual([]);
  });

  it('delete only the domain they name when its name is added anew', async () => {
    const { create, verify, post, delete: remove } = await holder();
    const name = newName();
    const { body: first } = await create(name);
    const [, , again] = await Promise.all([
      remove(`/domains/${first.id}`),
      remove(`/domains/${first.id}`),
      create(name),
      remove(`/domains/${first.id}`),
    ]);
    const made = again.status === 201 ? again : await create(name);
    expect(made.status).toBe(201);
    await publishKey(made.body);
    expect((await verify(made.body.id)).verified_at).not.toBeNull();
    // Sending finds a domain by its claim on the name.
    const mail = { from: `a@${name}`, to: 'anna@example.test', subject: 'S', text: 'T' };
    expect((await post('/emails', mail)).status).toBe(201);
  });

  it('verify a domain once when many ask for it', async () => {
    const { create, verify, get } = await holder();
    const { body: made } = await create(newName());
    await publishKey(made);
    const answers = await times(4, () => verify(made.id));
    const { verified_at } = (await get<DomainBody>(`/domains/${made.id}`)).body;
    expect(verified_at).not.toBeNull();
    expect(new Set(answers.map((one) => one.verified_at))).toEqual(new Set([verified_at]));
  });
});

describe('a name whose published key changes', () => {
  it('is signed with the new key, and mail of the previous holder waits', async () => {
    const [ours, theirs] = [await holder(), await holder()];
    const name = newName();
    const { body: first } = await ours.create(name);
    const { body: second } = await theirs.create(name);
    await publishKey(first);
    await ours.verify(first.id);
    await cloud().waitForQuiescence();
    expect(await ours.send(`a@${name}`)).toBe('delivered');

    await unpublishDkim(first);
    await publishKey(second);
    await theirs.verify(second.id);
    await cloud().waitForQuiescence();
    expect(await selectorAtSes(name)).toBe(dkimOf(second)[0]?.name.split('.')[0]);
    expect(await theirs.send(`b@${name}`)).toBe('delivered');
    // The domain is lost only after 72 hours; until then nothing is signed for it with a key that is not its own.
    expect((await ours.get<DomainBody>(`/domains/${first.id}`)).body.verified_at).not.toBeNull();
    expect(await ours.send(`a@${name}`)).toBe('queued');

    await unpublishDkim(second);
    await publishKey(first);
    await ours.verify(first.id);
    await theirs.verify(second.id);
    await cloud().waitForQuiescence();
    expect(await selectorAtSes(name)).toBe(dkimOf(first)[0]?.name.split('.')[0]);
  });

  it('keeps its key when the keys of both workspaces are published', async () => {
    const [ours, theirs] = [await holder(), await holder()];
    const name = newName();
    const { body: first } = await ours.create(name);
    const { body: second } = await theirs.create(name);
    await publishKey(first);
    await publishKey(second);
    await ours.verify(first.id);
    await cloud().waitForQuiescence();
    await theirs.verify(second.id);
    await cloud().waitForQuiescence();
    expect(await selectorAtSes(name)).toBe(dkimOf(first)[0]?.name.split('.')[0]);
    expect(await ours.send(`a@${name}`)).toBe('delivered');
    expect(await theirs.send(`b@${name}`)).toBe('delivered');
  });
});
