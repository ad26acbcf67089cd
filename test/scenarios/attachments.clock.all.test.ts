/** Text extraction that fails at first: `email.received` does not wait for it. */
import { expect, it, onTestFinished } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

it('email.received is sent once, ten seconds after the mail, when text extraction fails at first', async () => {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver();
  await client.post('/webhook-endpoints', { url: hook.url, subscriptions: ['email.received'] });
  // receive-mail reads the first object, which is the mail; extract-text reads the second, its file.
  const fault = {
    service: 's3',
    action: 'GetObject',
    kind: 'error',
    status: 400,
    code: 'BadRequest',
    skip: 1,
    // The retry, within ten seconds, fails too.
    times: 2,
  };
  await cloud().control('POST', '/faults', fault);
  onTestFinished(async () => void (await cloud().control('DELETE', '/faults')));
  await cloud().sendMail({
    from: 'anna@example.test',
    to: `support@${ours.providedDomain}`,
    subject: 'Files',
    text: 'See attached.',
    attachments: [{ filename: 'a.txt', content: 'text' }],
  });
  await cloud().waitForQuiescence();
  expect(hook.requests).toEqual([]);

  await cloud().advance(11);
  await cloud().waitForQuiescence();
  const received = () => hook.requests.map(({ body }) => JSON.parse(body).data);
  expect(received()).toMatchObject([{ attachments: [{ filename: 'a.txt', preparation: null }] }]);
  const [attachment] = received()[0].attachments;
  const early = await client.get(`/attachments/${attachment.id}/content`);
  expect([early.status, early.body.code]).toEqual([404, 'not_prepared']);

  await cloud().advance(600);
  await cloud().waitForQuiescence();
  expect((await client.get(`/attachments/${attachment.id}/content`)).status).toBe(307);
  expect(received()).toHaveLength(1);
});
