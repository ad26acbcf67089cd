/** Domains: records, verification, sending, names that several workspaces hold, wildcards. */
import { randomBytes } from 'node:crypto';
import { GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type DomainBody, publish } from '../support/published-domain.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const newName = () => `d${randomBytes(6).toString('hex')}.test`;

interface Holder extends Api {
  readonly own: TestWorkspace;
  create(body: object): Promise<DomainBody>;
  verify(id: string): Promise<DomainBody>;
  send(from: string): Promise<{ status: number; code: string; id: string }>;
}

async function holder(): Promise<Holder> {
  const own = await workspace();
  const client = api(own);
  return {
    ...client,
    own,
    async create(body) {
      const answer = await client.post<DomainBody>('/domains', body);
      expect(answer.status).toBe(201);
      return answer.body;
    },
    async verify(id) {
      const answer = await client.post<DomainBody>(`/domains/${id}/verify`);
      expect(answer.status).toBe(200);
      return answer.body;
    },
    async send(from) {
      const { status, body } = await client.post('/emails', {
        from,
        to: 'anna@example.test',
        subject: 'S',
        text: 'T',
      });
      return { status, code: body.code, id: body.id };
    },
  };
}

const statesOf = ({ records }: DomainBody) =>
  Object.fromEntries(records.map(({ purpose, state }) => [purpose, state]));

/** DKIM selector that SES signs mail of a domain with. */
async function selectorAtSes(name: string): Promise<string | undefined> {
  const client = new SESv2Client({ region: 'us-east-1' });
  const { DkimAttributes } = await client.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
  client.destroy();
  return DkimAttributes?.Tokens?.[0];
}

describe('a domain', () => {
  it('has records to publish, is verified when its DKIM record is in DNS, and then sends', async () => {
    const { create, verify, send, get } = await holder();
    const name = newName();
    const made = await create({ name });
    const selector = /^parley-[0-9a-f]{12}(?=\._domainkey\.)/.exec(made.records[0]?.name ?? '')?.[0];
    const record = { id: expect.stringMatching(/^dns_/), ttl: 3600, state: 'pending', last_checked_at: null };
    const txt = { ...record, type: 'TXT', priority: null };
    const mx = { ...record, type: 'MX', priority: 10 };
    expect(made).toEqual({
      id: expect.stringMatching(/^dom_[0-9a-f]{32}$/),
      name,
      region: 'us-east-1',
      space_id: null,
      parent_id: null,
      provided: false,
      verified_at: null,
      created_at: timestamp,
      tracking: { opens: false, clicks: false },
      records: [
        {
          ...txt,
          purpose: 'DKIM',
          name: `${selector}._domainkey.${name}`,
          value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{360,}=*$/),
        },
        {
          ...mx,
          purpose: 'RETURN_PATH',
          name: `bounces.${name}`,
          value: 'feedback-smtp.us-east-1.amazonses.com',
        },
        { ...txt, purpose: 'SPF', name: `bounces.${name}`, value: 'v=spf1 include:amazonses.com ~all' },
        { ...txt, purpose: 'DMARC', name: `_dmarc.${name}`, value: 'v=DMARC1; p=none;' },
        { ...mx, purpose: 'INBOUND', name, value: 'inbound-smtp.us-east-1.amazonaws.com' },
      ],
      findings: [],
    });

    expect(await send(`a@${name}`)).toMatchObject({ status: 409, code: 'domain_unverified' });
    const before = await verify(made.id);
    expect(before.verified_at).toBeNull();
    expect(new Set(Object.values(statesOf(before)))).toEqual(new Set(['missing']));

    await publish(made);
    const after = await verify(made.id);
    expect(after.verified_at).toEqual(timestamp);
    expect(after.records).toEqual(
      made.records.map((one) => ({ ...one, state: 'verified', last_checked_at: timestamp })),
    );
    expect((await get<DomainBody>(`/domains/${made.id}`)).body).toEqual(after);

    // sync-identity has created the SES identity.
    await cloud().waitForQuiescence();
    const sent = await send(`a@${name}`);
    expect(sent.status).toBe(201);
    await cloud().waitForQuiescence();
    const [mail, ...more] = (await cloud().sentTo('anna@example.test')).filter(
      ({ from }) => from === `a@${name}`,
    );
    expect(more).toEqual([]);
    expect(mail?.recipients).toEqual(['anna@example.test']);
    expect(await selectorAtSes(name)).toBe(selector);
    expect((await get<{ status: string }>(`/emails/${sent.id}`)).body.status).toBe('delivered');
  });

  it('is verified when only its DKIM record is published', async () => {
    const { create, verify } = await holder();
    const made = await create({ name: newName() });
    await publish(made, ['DKIM', 'DMARC']);
    const found = await verify(made.id);
    expect(found.verified_at).toEqual(timestamp);
    expect(statesOf(found)).toEqual({
      DKIM: 'verified',
      RETURN_PATH: 'missing',
      SPF: 'missing',
      DMARC: 'verified',
      INBOUND: 'missing',
    });
  });

  it('has the hosts of its region', async () => {
    const { create } = await holder();
    const { records } = await create({ name: newName(), region: 'eu-central-1' });
    expect(records.filter(({ type }) => type === 'MX').map(({ value }) => value)).toEqual([
      'feedback-smtp.eu-central-1.amazonses.com',
      'inbound-smtp.eu-central-1.amazonaws.com',
    ]);
  });
});

describe('a domain name', () => {
  const refusal = async ({ post }: Api, body: object) => {
    const answer = await post('/domains', body);
    return [answer.status, answer.body.code];
  };

  it('is domain_taken when the workspace has it, as a wildcard or as its base', async () => {
    const ours = await holder();
    const [base, wild] = [newName(), newName()];
    await ours.create({ name: base });
    await ours.create({ name: `*.${wild}` });
    for (const name of [base, `*.${base}`, base.toUpperCase(), `${base}.`, wild, `*.${wild}`]) {
      expect(await refusal(ours, { name }), name).toEqual([409, 'domain_taken']);
    }
    await (await holder()).create({ name: base });
  });

  it('is free again when its domain is deleted', async () => {
    const ours = await holder();
    const name = newName();
    const { id } = await ours.create({ name });
    expect((await ours.delete(`/domains/${id}`)).status).toBe(204);
    expect((await ours.get(`/domains/${id}`)).body.code).toBe('not_found');
    await ours.create({ name: `*.${name}` });
  });

  it('is reserved_subdomain when it is the return path of a wildcard', async () => {
    const ours = await holder();
    const wild = newName();
    await ours.create({ name: `*.${wild}` });
    for (const name of [`bounces.${wild}`, `*.bounces.${wild}`]) {
      expect(await refusal(ours, { name }), name).toEqual([409, 'reserved_subdomain']);
    }
    await ours.create({ name: `bounces.${newName()}` });
  });

  it('is reserved_domain when it ends in the suffix of the provided domains', async () => {
    const ours = await holder();
    for (const name of [
      'mail.parley.test',
      'x.mail.parley.test',
      '*.x.mail.parley.test',
      ours.own.providedDomain,
    ]) {
      expect(await refusal(ours, { name }), name).toEqual([409, 'reserved_domain']);
    }
  });

  it.each([
    'co.uk',
    'com',
    'localhost',
    'x.local',
    '192.0.2.1',
    'a b.test',
    '-a.test',
    'a..test',
    '*.*.a.test',
    '*',
  ])('is invalid_domain when nobody can register it: %s', async (name) => {
    expect(await refusal(await holder(), { name })).toEqual([400, 'invalid_domain']);
  });

  it('is stored in lower-case ASCII', async () => {
    const { create } = await holder();
    const name = newName();
    expect((await create({ name: ` BÜCHER.${name} ` })).name).toBe(`xn--bcher-kva.${name}`);
  });

  it('is refused when the region or the space does not exist', async () => {
    const ours = await holder();
    expect(await refusal(ours, { name: newName(), region: 'eu-west-1' })).toEqual([400, 'unknown_region']);
    const theirs = await (await holder()).post('/spaces', { name: 'Theirs' });
    for (const space_id of [newId('spc'), theirs.body.id, newId('dom'), 'x']) {
      const name = newName();
      expect(await refusal(ours, { name, space_id }), space_id).toEqual([404, 'not_found']);
      // The refused request left no claim on the name.
      await ours.create({ name });
    }
  });
});

describe('the provided domain', () => {
  it('is verified, has no records, and cannot be deleted', async () => {
    const ours = await holder();
    const [provided] = (await ours.get<{ data: DomainBody[] }>('/domains')).body.data;
    expect(provided).toMatchObject({ name: ours.own.providedDomain, provided: true, verified_at: timestamp });
    const id = provided?.id ?? '';
    expect(await ours.verify(id)).toEqual({ ...provided, records: [], findings: [] });
    const { status, body } = await ours.delete(`/domains/${id}`);
    expect([status, body.code]).toEqual([409, 'domain_provided']);
  });
});

describe('a domain name of two workspaces', () => {
  it('sends and receives for the workspace whose DKIM key is published', async () => {
    const [ours, theirs] = [await holder(), await holder()];
    const name = newName();
    const [first, second] = [await ours.create({ name }), await theirs.create({ name })];
    expect(first.records[0]?.name).not.toBe(second.records[0]?.name);
    await publish(first);
    expect((await ours.verify(first.id)).verified_at).toEqual(timestamp);
    expect((await theirs.verify(second.id)).verified_at).toBeNull();
    await cloud().waitForQuiescence();
    expect((await ours.send(`a@${name}`)).status).toBe(201);
    expect(await theirs.send(`a@${name}`)).toMatchObject({ status: 409, code: 'domain_unverified' });
    await cloud().sendMail({ from: 'bo@example.test', to: `a@${name}`, subject: 'Hello', text: 'Hi' });
    await cloud().waitForQuiescence();
    const inbox = async ({ get }: Api) => (await get('/emails?direction=inbound')).body.data.length;
    expect([await inbox(ours), await inbox(theirs)]).toEqual([1, 0]);

    await publish(second);
    expect((await theirs.verify(second.id)).verified_at).toEqual(timestamp);
    expect((await ours.delete(`/domains/${first.id}`)).status).toBe(204);
    await cloud().waitForQuiescence();
    const sent = await theirs.send(`b@${name}`);
    expect(sent.status).toBe(201);
    await cloud().waitForQuiescence();
    expect((await theirs.get<{ status: string }>(`/emails/${sent.id}`)).body.status).toBe('delivered');
    expect(await selectorAtSes(name)).toBe(second.records[0]?.name.split('.')[0]);
    expect((await ours.send(`a@${name}`)).code).toBe('sender_unknown');
  });
});

describe('a wildcard', () => {
  it('verifies its subdomains, and deletes them when it is deleted', async () => {
    const ours = await holder();
    const { body: space } = await ours.post('/spaces', { name: 'Shop' });
    const name = newName();
    const wild = await ours.create({ name: `*.${name}` });
    expect(wild).toMatchObject({ name: `*.${name}`, parent_id: null });
    const at = Object.fromEntries(wild.records.map((record) => [record.purpose, record.name]));
    expect(at).toMatchObject({ INBOUND: `*.${name}`, DMARC: `_dmarc.${name}`, SPF: `bounces.${name}` });

    const shop = await ours.create({ name: `shop.${name}`, space_id: space.id, region: 'eu-central-1' });
    expect(shop).toMatchObject({ parent_id: wild.id, records: [], verified_at: null, region: 'us-east-1' });
    expect((await ours.send(`a@shop.${name}`)).code).toBe('domain_unverified');
    await publish(wild);
    // A check of the subdomain checks its parent.
    const { verified_at } = await ours.verify(shop.id);
    expect(verified_at).toEqual(timestamp);
    for (const { id } of [wild, shop]) {
      expect((await ours.get<DomainBody>(`/domains/${id}`)).body.verified_at).toBe(verified_at);
    }
    const later = await ours.create({ name: `later.${name}` });
    expect(later.verified_at).toBe(verified_at);

    await cloud().waitForQuiescence();
    const sent = await ours.send(`a@shop.${name}`);
    expect(sent.status).toBe(201);
    await cloud().waitForQuiescence();
    const email = await ours.get<{ status: string; space_id: string }>(`/emails/${sent.id}`);
    expect(email.body).toMatchObject({ status: 'delivered', space_id: space.id });
    // The wildcard covers names that have no domain of their own.
    expect((await ours.send(`a@deep.down.${name}`)).status).toBe(201);

    expect((await ours.delete(`/domains/${wild.id}`)).status).toBe(204);
    for (const { id } of [wild, shop, later]) {
      expect((await ours.get(`/domains/${id}`)).body.code).toBe('not_found');
    }
    expect((await ours.send(`a@shop.${name}`)).code).toBe('sender_unknown');
    expect(await ours.create({ name: `shop.${name}` })).toMatchObject({ parent_id: null });
  });

  it('stays when one of its subdomains is deleted', async () => {
    const ours = await holder();
    const name = newName();
    const wild = await ours.create({ name: `*.${name}` });
    const shop = await ours.create({ name: `shop.${name}` });
    await publish(wild);
    await ours.verify(wild.id);
    expect((await ours.delete(`/domains/${shop.id}`)).status).toBe(204);
    expect((await ours.get<DomainBody>(`/domains/${wild.id}`)).body.verified_at).toEqual(timestamp);
    expect((await ours.send(`a@shop.${name}`)).status).toBe(201);
  });
});

describe('the list of domains', () => {
  it('has each domain once, oldest first and without records, of every space or of one', async () => {
    const ours = await holder();
    const { body: space } = await ours.post('/spaces', { name: 'Shop' });
    const names = [newName(), newName(), newName()];
    for (const [at, name] of names.entries()) {
      await ours.create({ name, ...(at === 1 && { space_id: space.id }) });
    }
    const list = async (query: string): Promise<string[]> => {
      const { status, body } = await ours.get<{ data: DomainBody[]; next_cursor: string | null }>(
        `/domains?limit=2${query}`,
      );
      expect(status).toBe(200);
      expect(body.data.filter((one) => 'records' in one)).toEqual([]);
      const rest = body.next_cursor ? await list(`${query}&cursor=${body.next_cursor}`) : [];
      return [...body.data.map(({ name }) => name), ...rest];
    };
    expect(await list('')).toEqual([ours.own.providedDomain, ...names]);
    expect(await list(`&space=${space.id}`)).toEqual([names[1]]);
    expect(await list('&space=none')).toEqual([ours.own.providedDomain, names[0], names[2]]);
  });
});
