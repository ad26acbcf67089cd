import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { clearFaults, inject, newSender } from './kit.ts';

describe('the logs', () => {
  it('hold no mail content and no secret when calls fail', async () => {
    const secret = crypto.randomUUID();
    const sender = await newSender();
    const { post, get } = api(sender.own);
    const person = `${secret}@people.example.test`;
    const content = { subject: `subject ${secret}`, text: `text ${secret}`, html: `<p>html ${secret}</p>` };
    const file = { filename: `${secret}.txt`, content: Buffer.from(`file ${secret}`).toString('base64') };
    const endpoint = await post('/webhook-endpoints', {
      url: sender.receiver.url,
      subscriptions: ['email.sent'],
    });
    expect(endpoint.status).toBe(201);

    const { id } = await sender.send([person], { ...content, attachments: [file] });
    await cloud().waitForQuiescence();
    await cloud().sendMail({
      from: person,
      to: sender.from,
      ...content,
      inReplyTo: (await sender.read(id)).message_id,
      attachments: [{ filename: file.filename, content: `file ${secret}` }],
    });
    await cloud().sendMail({ from: person, to: sender.from, raw: `Content-Type: ${secret}\r\nx ${secret}` });
    await cloud().waitForQuiescence();
    expect((await post('/emails', { from: sender.from, to: person, ...content, zzz: secret })).status).toBe(
      422,
    );

    // Each of these failures is logged.
    const refusal = { code: 'MessageRejected', message: 'Email address is not verified.' };
    await inject({ kind: 'error', service: 'ses', action: 'SendEmail', match: sender.own.id, ...refusal });
    await inject({ kind: 'error', service: 'ses', action: 'SendEmail', match: sender.own.id });
    for (const times of [1, 2]) await sender.send([person], { ...content, text: `${times} ${secret}` });
    await cloud().waitForQuiescence();
    await clearFaults();
    await inject({
      kind: 'error',
      action: 'TransactWriteItems',
      principal: 'parley-api-emails-send',
      match: sender.own.id,
      code: 'ValidationException',
    });
    expect((await post('/emails', { from: sender.from, to: person, ...content })).status).toBe(500);
    await clearFaults();
    sender.receiver.answer(() => ({ status: 500, body: secret }));
    await get(`/emails?query=${secret}`);
    await cloud().waitForQuiescence();

    const { data } = await cloud().control<{ data: { source: string; text: string }[] }>('GET', '/logs');
    const text = data.map((line) => line.text).join('\n');
    for (const expected of ['submission.refused', 'submission.unconfirmed', 'api.internal_error'])
      expect(text).toContain(expected);
    for (const hidden of [secret, sender.own.key, String(endpoint.body.secret)])
      expect(data.filter((line) => line.text.includes(hidden))).toEqual([]);
  });
});
