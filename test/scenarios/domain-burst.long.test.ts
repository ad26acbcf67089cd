/** Many domains that are created together, while SES throttles management calls. */
import { expect, it } from 'vitest';
import { inject } from '../faults/kit.ts';
import { type ApiResponse, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type DomainBody, dkimOf, publish } from '../support/published-domain.ts';
import { workspace } from '../support/workspace.ts';

const domains = 200;
/** More keys at the same time exceed the timeout of a request on two cores. */
const atOnce = 20;
const hour = 3600;

it('a burst of 200 domains is answered at once and settles by itself while SES throttles', async () => {
  const ours = await workspace();
  const client = api(ours);
  const match = `burst-${ours.slug}`;
  // A tenth of what the burst needs at SES.
  const throttled = { code: 'TooManyRequestsException', message: 'Too many requests.', status: 429 };
  await inject({
    service: 'ses',
    principal: 'parley-worker-sync-identity',
    kind: 'error',
    ...throttled,
    times: 60,
  });

  const names = Array.from({ length: domains }, (_, at) => `${match}-${at}.test`);
  const made: ApiResponse<DomainBody>[] = [];
  const waiting = names.values();
  const ask = async () => {
    for (const name of waiting) made.push(await client.post<DomainBody>('/domains', { name }));
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));

  await publish({ records: made.flatMap(({ body }) => dkimOf(body)) });
  await cloud().waitForQuiescence();
  await cloud().advance(2 * hour);
  await cloud().waitForQuiescence();

  const seen = await Promise.all(made.map(({ body }) => client.get<DomainBody>(`/domains/${body.id}`)));
  const unsettled = seen.filter(({ body }) => body.verified_at === null || body.findings.length > 0);
  expect(unsettled.map(({ body }) => body.name)).toEqual([]);
  const { body: sent } = await client.post('/emails', {
    from: `a@${names.at(-1)}`,
    to: 'burst@people.example.test',
    subject: 'Hello',
    text: 'Hello',
  });
  await cloud().waitForQuiescence();
  expect((await client.get(`/emails/${sent.id}`)).body.status).toBe('delivered');
}, 600_000);
