import { afterEach, describe, expect, it } from 'vitest';
import { setUpGoogle } from './google-kit.ts';
import { setUpMicrosoft } from './microsoft-kit.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const address = 'cleo@acme.test';

async function setUp(provider: string) {
  const kit = provider === 'Google' ? await setUpGoogle() : await setUpMicrosoft();
  closing.push(kit.close);
  const emulator = 'google' in kit ? kit.google : kit.microsoft;
  emulator.accounts.add({ address, name: 'Cleo & Co' });
  const get = async (path: string) => {
    const response = await fetch(emulator.url + path);
    return { status: response.status, html: await response.text() };
  };
  const post = (path: string, form: Record<string, string>) =>
    fetch(emulator.url + path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  return { emulator, mailbox: emulator.mailbox(address), delivered: kit.delivered, get, post };
}

describe.each(['Google', 'Microsoft'])('the webmail of %s', (provider) => {
  const mailbox = '/mail/cleo%40acme.test';

  it('lists mailboxes and shows with what a browser returned', async () => {
    const { get } = await setUp(provider);
    const { html } = await get('/mail?status=connected&mailbox_id=mbx_1');
    expect(html).toContain(`<h1>Mailboxes of the local ${provider}</h1>`);
    expect(html).toContain('<a href="/mail/cleo%40acme.test">Cleo &amp; Co<small>cleo@acme.test</small></a>');
    expect(html).toContain('<dt>status</dt><dd>connected</dd>');
    expect(html).not.toContain('<script');
  });

  it('creates a mailbox', async () => {
    const { emulator, post } = await setUp(provider);
    const response = await post('/mail', { address: 'dora@acme.test' });
    expect(response.headers.get('location')).toBe(`${emulator.url}/mail/dora%40acme.test`);
    expect(emulator.accounts.find('dora@acme.test')).toBeDefined();
    expect((await post('/mail', { address: 'nobody' })).status).toBe(200);
  });

  it('lists and shows messages', async () => {
    const { get, mailbox: own } = await setUp(provider);
    own.put(
      Buffer.from(
        'From: ben@example.test\r\nTo: cleo@acme.test\r\nSubject: <b>Lunch\r\n\r\nAre <you> free?\r\n',
      ),
      'inbox',
    );
    const { html } = await get(mailbox);
    expect(html).toContain('&lt;b&gt;Lunch<small>ben@example.test, <time');
    expect(html).toContain('aria-current="page">Inbox</a>');
    const [, path = ''] = /href="(\/mail\/[^"]+\/messages\/[^"]+)"/.exec(html) ?? [];
    expect((await get(path)).html).toContain('<pre>Are &lt;you&gt; free?');
    expect((await get(`${mailbox}?folder=sent`)).html).toContain('No messages.');
    expect((await get(`${mailbox}/messages/none`)).status).toBe(404);
    expect((await get('/mail/nobody%40acme.test')).status).toBe(404);
  });

  it('sends a message', async () => {
    const { post, delivered, mailbox: own } = await setUp(provider);
    const form = { to: 'ben@example.test', subject: 'Grüße', text: 'Hello' };
    const response = await post(`${mailbox}/messages`, form);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/mail/cleo%40acme.test?folder=sent'),
    ]);
    expect(delivered.map(({ from, recipients }) => [from, recipients])).toEqual([
      [address, ['ben@example.test']],
    ]);
    expect(own.list().map(({ folder, facts }) => [folder, facts.subject])).toEqual([['sent', 'Grüße']]);
    const refused = await post(`${mailbox}/messages`, { ...form, to: 'nobody' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('role="alert"')]);
  });

  it('answers in the thread of a message', async () => {
    const { post, mailbox: own } = await setUp(provider);
    own.put(Buffer.from('Message-ID: <1@example.test>\r\nSubject: Re: Lunch\r\n\r\nHi\r\n'), 'inbox');
    const [received] = own.list();
    await post(`${mailbox}/messages`, { answers: received?.id ?? '', to: 'ben@example.test', text: 'Yes' });
    const [sent] = own.list();
    expect([sent?.facts.subject, sent?.facts.references, sent?.threadId]).toEqual([
      'Re: Lunch',
      ['<1@example.test>'],
      received?.threadId,
    ]);
  });
});
