/** Expiry of uploads. */
import { expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

it('an upload expires after a day and its link after 15 minutes, and an email that named it keeps the file', async () => {
  const ours = await workspace();
  const client = api(ours);
  const file = { filename: 'a.txt', content_type: 'text/plain', size: 5 };
  const { body: upload } = await client.post<{
    id: string;
    upload_url: string;
    upload_headers: Record<string, string>;
  }>('/attachments', file);
  const put = async () => {
    const { upload_url: url, upload_headers: headers } = upload;
    return (await fetch(url, { method: 'PUT', headers, body: 'hello' })).status;
  };
  const message = {
    from: `support@${ours.providedDomain}`,
    to: 'anna@example.test',
    subject: 'Files',
    text: 'See attached.',
    attachments: [{ attachment_id: upload.id }],
  };
  expect(await put()).toBe(200);
  const sent = await client.post('/emails', message, { 'Idempotency-Key': 'k' });
  expect(sent.status).toBe(201);

  await cloud().advance(901);
  expect(await put()).toBe(403);
  expect((await client.post('/emails', message)).status).toBe(201);

  await cloud().advance(24 * 3600);
  const late = await client.post('/emails', message);
  expect([late.status, late.body.code]).toEqual([404, 'not_found']);
  const again = await client.post('/emails', message, { 'Idempotency-Key': 'k' });
  expect([again.status, again.body.id]).toEqual([200, sent.body.id]);
  const { body } = await client.get<{ attachments: { download_url: string }[] }>(`/emails/${sent.body.id}`);
  expect(await (await fetch(body.attachments[0]?.download_url ?? '')).text()).toBe('hello');
});
