/** Webhook endpoints as the API keeps them. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import type { EndpointId } from '../../../lib/core/ids.ts';
import { webhookUrl } from '../../../lib/core/webhooks/public-address.ts';
import { verifySignature } from '../../../lib/core/webhooks/signature.ts';
import { openActiveSecrets } from '../../../lib/services/webhooks/endpoint-secrets.ts';
import { createEndpoint } from '../../../lib/services/webhooks/endpoints.ts';
import { prepareAttempt } from '../../../lib/services/webhooks/prepare-attempt.ts';
import { endpointKey } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import { findEndpoint } from '../../../lib/storage/webhooks/endpoints.ts';
import { api } from '../../support/api.ts';
import { refusedUrls } from '../../support/refused-targets.ts';
import { workspace } from '../../support/workspace.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const client = async () => api(await workspace());
const subscriptions = ['email.received'] as const;
const valid = { url: 'https://hooks.example.org/mail', subscriptions };

/** Whether the Standard Webhooks library verifies a request. */
function isStandard(secret: string, body: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('PATCH /webhook-endpoints/{endpoint_id}', () => {
  it('refuses click_event, which only endpoints of format v1 have', async () => {
    const { post, patch } = await client();
    const { id } = (await post('/webhook-endpoints', valid)).body;
    const { status, body } = await patch(`/webhook-endpoints/${id}`, { click_event: 'clicked' });
    expect([status, body.code, body.issues]).toEqual([
      422,
      'invalid_request',
      [{ path: 'click_event', message: 'is a setting of the format v1' }],
    ]);
  });
});

describe('POST /webhook-endpoints', () => {
  it('returns 201 with the record and its secret, which no later read returns', async () => {
    const { post, get } = await client();
    const created = await post('/webhook-endpoints', valid);
    expect(created.status).toBe(201);
    const { secret, ...record } = created.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^whk_[0-9a-f]{32}$/),
      url: 'https://hooks.example.org/mail',
      enabled: true,
      format: 'v2',
      subscriptions: ['email.received'],
      routing: [],
      max_concurrency: 16,
      include: [],
      previous_secret_expires_at: null,
      created_at: timestamp,
      updated_at: timestamp,
    });
    expect((await get(`/webhook-endpoints/${record.id}`)).body).toEqual(record);
    expect((await get('/webhook-endpoints')).body).toEqual({ data: [record], next_cursor: null });
  });

  it('accepts every field', async () => {
    const { post } = await client();
    const given = {
      ...valid,
      enabled: false,
      max_concurrency: 128,
      routing: [
        { effect: 'allow', field: 'to', pattern: '*@acme.dev' },
        { effect: 'block', field: 'either', pattern: 'noreply@*' },
      ],
    };
    expect((await post('/webhook-endpoints', given)).body).toMatchObject(given);
  });

  it('stores a type once when it is named twice', async () => {
    const { post } = await client();
    const subscriptions = ['email.sent', 'email.received', 'email.sent'];
    const { body } = await post('/webhook-endpoints', { ...valid, subscriptions });
    expect(body.subscriptions).toEqual(['email.sent', 'email.received']);
  });

  it('stores the secret encrypted', async () => {
    const ours = await workspace();
    const { body } = await api(ours).post('/webhook-endpoints', valid);
    const item = await get(endpointKey(ours.id, body.id as never));
    expect(item?.sealedSecret).toEqual(expect.any(String));
    expect(JSON.stringify(item)).not.toContain(body.secret);
  });

  it.each([
    ['url', 'https://10.0.0.1/'],
    ['url', 'https://[::ffff:127.0.0.1]/'],
    ['url', 'https://metadata.google.internal/'],
    ['url', 'https://user:secret@hooks.example.org/'],
    ['url', 'no URL'],
    ['subscriptions', []],
    ['max_concurrency', 0],
    ['max_concurrency', 129],
    ['max_concurrency', 1.5],
    ['enabled', 'yes'],
  ])('refuses %s = %j and says so', async (path, value) => {
    const { status, body } = await (await client()).post('/webhook-endpoints', {
      ...valid,
      [path as string]: value,
    });
    expect([status, body.code]).toEqual([422, 'invalid_request']);
    expect(body.issues).toMatchObject([{ path }]);
  });

  it.each([
    [{ subscriptions: ['email.opend'] }, 'subscriptions.0'],
    [{ include: ['html'] }, 'include.0'],
    [{ routing: [{ effect: 'deny', field: 'to', pattern: '*' }] }, 'routing.0.effect'],
    [{ routing: [{ effect: 'allow', field: 'cc', pattern: '*' }] }, 'routing.0.field'],
    [{ routing: [{ effect: 'allow', field: 'to', pattern: 'acme' }] }, 'routing.0.pattern'],
    [{ secret: 'mine' }, 'secret'],
  ])('refuses %j at its place', async (change, path) => {
    const { status, body } = await (await client()).post('/webhook-endpoints', { ...valid, ...change });
    expect([status, body.issues]).toMatchObject([422, [{ path }]]);
  });

  it('accepts at most a hundred routing rules', async () => {
    const { post } = await client();
    const rules = (count: number) => new Array(count).fill({ effect: 'allow', field: 'to', pattern: '*' });
    expect((await post('/webhook-endpoints', { ...valid, routing: rules(100) })).status).toBe(201);
    const { status, body } = await post('/webhook-endpoints', { ...valid, routing: rules(101) });
    expect([status, body.issues]).toMatchObject([422, [{ path: 'routing' }]]);
  });
});

describe('the limit of endpoints', () => {
  /** The statuses of requests that are made at the same time, in order. */
  const together = async (count: number, request: () => Promise<{ status: number }>) => {
    const answers = await Promise.all(Array.from({ length: count }, request));
    return answers.map(({ status }) => status).sort();
  };

  it('holds when endpoints are created and deleted at the same time', async () => {
    const ours = await workspace();
    const { post, get, delete: remove } = api(ours);
    const settings = { url: valid.url, enabled: true, subscriptions, routing: [], maxConcurrency: 1 };
    for (let at = 0; at < 45; at++) await createEndpoint(ours.id, settings);
    const create = () => post('/webhook-endpoints', valid);

    expect(await together(8, create)).toEqual([201, 201, 201, 201, 201, 409, 409, 409]);
    const refused = await create();
    expect(refused.body).toMatchObject({
      code: 'limit_reached',
      detail: 'A workspace has at most 50 webhook endpoints.',
    });

    const [first] = (await get('/webhook-endpoints?limit=100')).body.data;
    // One of two deletions of the same endpoint finds it.
    expect(await together(2, () => remove(`/webhook-endpoints/${first?.id}`))).toEqual([204, 404]);
    expect(await together(3, create)).toEqual([201, 409, 409]);
    expect((await get('/webhook-endpoints?limit=100')).body.data).toHaveLength(50);
  });
});

describe('POST /webhook-endpoints/{id}/rotate-secret', () => {
  const rotated = (body?: object) => async () => {
    const ours = await workspace();
    const client = api(ours);
    const created = (await client.post<{ id: EndpointId; secret: string }>('/webhook-endpoints', valid)).body;
    const path = `/webhook-endpoints/${created.id}`;
    const answer = await client.post<{ secret: string }>(`${path}/rotate-secret`, body);
    return { ours, client, created, path, answer };
  };

  it('returns the record with a new secret, and keeps the previous one for a day', async () => {
    const { created, client, path, answer } = await rotated()();
    expect(answer.status).toBe(200);
    const { secret, ...record } = answer.body;
    const { secret: before, ...rest } = created;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(before);
    expect(record).toEqual({ ...rest, previous_secret_expires_at: timestamp, updated_at: timestamp });
    const { previous_secret_expires_at: expiresAt, updated_at: updatedAt } = record as Record<string, string>;
    expect(Date.parse(expiresAt ?? '') - Date.parse(updatedAt ?? '')).toBeLessThanOrEqual(86_400_000);
    expect(Date.parse(expiresAt ?? '') - Date.parse(updatedAt ?? '')).toBeGreaterThan(86_390_000);
    expect((await client.get(path)).body).toEqual(record);
  });

  it('signs with both secrets, and with the two newest after another rotation', async () => {
    const { ours, client, created, path, answer } = await rotated({ grace_seconds: 604_800 })();
    const verifying = async (secrets: readonly string[]) => {
      const found = await findEndpoint(ours.id, created.id);
      if (!found) throw new Error('no endpoint');
      const body = '{}';
      const { headers } = await prepareAttempt(ours.id, found, { id: newId('evt'), body }, now());
      const header = headers['Parley-Signature'] ?? '';
      const nowSeconds = Math.floor(now() / 1000);
      return secrets.map((secret) => {
        const ownScheme = verifySignature({ header, body, secret, nowSeconds });
        expect(isStandard(secret, body, headers)).toBe(ownScheme);
        return ownScheme;
      });
    };
    const secrets = [created.secret, answer.body.secret];
    expect(await verifying(secrets)).toEqual([true, true]);
    const again = await client.post<{ secret: string }>(`${path}/rotate-secret`, {});
    secrets.push(again.body.secret);
    expect(await verifying(secrets)).toEqual([false, true, true]);
    const last = await client.post<{ secret: string }>(`${path}/rotate-secret`, { grace_seconds: 0 });
    expect(last.body).toMatchObject({ previous_secret_expires_at: null });
    secrets.push(last.body.secret);
    expect(await verifying(secrets)).toEqual([false, false, false, true]);
  });

  it('leaves the two newest secrets valid when two rotations run at the same time', async () => {
    const { ours, client, created, path } = await rotated()();
    const answers = await Promise.all(
      [1, 2].map(() => client.post<{ secret: string }>(`${path}/rotate-secret`, {})),
    );
    const found = await findEndpoint(ours.id, created.id);
    if (!found) throw new Error('no endpoint');
    const valid = await openActiveSecrets(ours.id, found.secrets, now());
    expect(valid.sort()).toEqual(answers.map(({ body }) => body.secret).sort());
  });

  it.each([-1, 604_801, 1.5, '60'])('refuses grace_seconds = %j', async (grace) => {
    const { answer } = await rotated({ grace_seconds: grace })();
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { code: 'invalid_request', issues: [{ path: 'grace_seconds' }] },
    ]);
  });
});

describe('PATCH /webhook-endpoints/{id}', () => {
  it('changes the given fields only, also when others change at the same time', async () => {
    const { post, patch, get } = await client();
    const { secret: _, ...before } = (await post('/webhook-endpoints', valid)).body;
    const path = `/webhook-endpoints/${before.id}`;
    const answers = await Promise.all([
      patch(path, { enabled: false }),
      patch(path, { max_concurrency: 3 }),
      patch(path, { subscriptions: ['email.sent'] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await get(path)).body).toEqual({
      ...before,
      enabled: false,
      max_concurrency: 3,
      subscriptions: ['email.sent'],
      updated_at: timestamp,
    });
  });

  it('refuses what POST refuses', async () => {
    const { post, patch } = await client();
    const { body: before } = await post('/webhook-endpoints', valid);
    const { status, body } = await patch(`/webhook-endpoints/${before.id}`, { url: 'https://10.0.0.1/' });
    expect([status, body.issues]).toMatchObject([422, [{ path: 'url' }]]);
  });
});

describe('a URL that webhooks must not reach', () => {
  // The local cloud allows plain http and loopback receivers; test/core/webhooks/public-address.test.ts has the strict rule.
  const refused = refusedUrls.filter((url) => typeof webhookUrl(url, { allowInsecure: true }) === 'string');

  it('is refused when an endpoint is created or updated', async () => {
    const { post, patch, get } = await client();
    const { body: before } = await post('/webhook-endpoints', valid);
    const path = `/webhook-endpoints/${before.id}`;
    expect(refused.length).toBeGreaterThan(40);
    for (const url of refused) {
      for (const answer of [
        await post('/webhook-endpoints', { ...valid, url }),
        await patch(path, { url }),
      ]) {
        const { status, body } = answer;
        expect([url, status, body.code]).toEqual([url, 422, 'invalid_request']);
        expect(body.issues).toMatchObject([{ path: 'url', message: expect.stringMatching(/^must /) }]);
      }
    }
    expect((await get(path)).body.url).toBe(valid.url);
  });
});

describe('a deleted webhook endpoint', () => {
  it('is not found, and neither are its deliveries', async () => {
    const { post, patch, get, delete: remove } = await client();
    const path = `/webhook-endpoints/${(await post('/webhook-endpoints', valid)).body.id}`;
    expect((await remove(path)).status).toBe(204);
    const after = await Promise.all([
      get(path),
      patch(path, { enabled: false }),
      remove(path),
      get(`${path}/deliveries`),
    ]);
    expect(after.map(({ status, body }) => [status, body.code])).toEqual(after.map(() => [404, 'not_found']));
    expect((await get('/webhook-endpoints')).body.data).toEqual([]);
  });
});

describe('webhook endpoints', () => {
  it('are listed oldest first, page by page', async () => {
    const { post, get } = await client();
    const made = [];
    for (let at = 0; at < 3; at++) made.push((await post('/webhook-endpoints', valid)).body.id);
    const first = await get('/webhook-endpoints?limit=2');
    const second = await get(`/webhook-endpoints?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(made);
    expect(second.body.next_cursor).toBeNull();
  });

  it('are not found by another workspace', async () => {
    const [ours, theirs] = await Promise.all([client(), client()]);
    const { id } = (await ours.post('/webhook-endpoints', valid)).body;
    for (const path of [`/webhook-endpoints/${id}`, `/webhook-endpoints/${id}/deliveries`]) {
      expect((await theirs.get(path)).body.code).toBe('not_found');
    }
    expect((await theirs.patch(`/webhook-endpoints/${id}`, { enabled: false })).status).toBe(404);
    expect((await theirs.delete(`/webhook-endpoints/${newId('whk')}`)).status).toBe(404);
    expect((await theirs.get('/webhook-endpoints')).body.data).toEqual([]);
  });
});
