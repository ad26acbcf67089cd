/** Files whose reading fails at first: the news of their mail does not wait for them. */
import { expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

it('the news of a mail waits ten seconds for its files, is sent once, and the files are read later', async () => {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver();
  await client.post('/webhook-endpoints', { url: hook.url, subscriptions: ['email.received'] });
  // The first object that is read is the mail itself, the second its file.
  const fault = {
    service: 's3',
    action: 'GetObject',
    kind: 'error',
    status: 400,
    code: 'BadRequest',
    skip: 1,
  };
  await cloud().control('POST', '/faults', fault);
  await cloud().sendMail({
    from: 'anna@example.test',
    to: `support@${ours.providedDomain}`,
    subject: 'Files',
    text: 'See attached.',
    attachments: [{ filename: 'a.txt', content: 'text' }],
  });
  await cloud().settle();
  expect(hook.requests).toEqual([]);

  await cloud().advance(11);
  await cloud().settle();
  const told = () => hook.requests.map(({ body }) => JSON.parse(body).data);
  expect(told()).toMatchObject([{ attachments: [{ filename: 'a.txt', preparation: null }] }]);
  const [attachment] = told()[0].attachments;
  const early = await client.get(`/attachments/${attachment.id}/content`);
  expect([early.status, early.body.code]).toEqual([404, 'not_prepared']);

  await cloud().advance(600);
  await cloud().settle();
  expect((await client.get(`/attachments/${attachment.id}/content`)).status).toBe(307);
  expect(told()).toHaveLength(1);
});
