/** The control routes of people and of the receiver, on a whole cloud. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

interface Row {
  readonly id: string;
  readonly direction: string;
  readonly subject: string;
}

const mailsOf = async (person: string): Promise<readonly Row[]> =>
  (await cloud().control<{ data: Row[] }>('GET', `/people/${person}/messages`)).data;

/** A person who received a mail: the address, and the path of the message. */
async function written(own: TestWorkspace, more: object = {}): Promise<{ person: string; path: string }> {
  const person = `anna@${own.slug}.example.test`;
  const from = `support@${own.providedDomain}`;
  const email = { from, to: [`Anna <${person}>`], subject: 'Your order', text: 'On its way.', ...more };
  await api(own).post('/emails', email);
  await cloud().waitForQuiescence();
  const [mail] = await mailsOf(person);
  return { person, path: `/people/${person}/messages/${mail?.id}` };
}

const inbound = async (own: TestWorkspace) => {
  await cloud().waitForQuiescence();
  const { body } = await api(own).get<{ data: Record<string, unknown>[] }>('/emails?direction=inbound');
  return body.data ?? [];
};

describe('a person of the inbox', () => {
  it.each(['gmail', 'outlook', 'apple'])(
    'answers in the style of %s in the thread of the email',
    async (style) => {
      const own = await workspace();
      const { path, person } = await written(own);
      const files = [{ filename: 'a.txt', type: 'text/plain', content: Buffer.from('a').toString('base64') }];
      await cloud().control('POST', `${path}/replies`, { text: 'Thank you!', style, files });
      const [email] = await inbound(own);
      const { body } = await api(own).get(`/emails/${email?.id}`);
      const { body: threads } = await api(own).get<{ data: unknown[] }>('/threads');
      expect(threads.data).toHaveLength(1);
      expect(body).toMatchObject({
        from: { name: 'Anna', address: person },
        subject: 'Re: Your order',
        category: 'human',
        stripped_text: 'Thank you!',
        attachments: [{ filename: 'a.txt' }],
        verdicts: { spf: 'PASS', dkim: 'PASS', dmarc: 'PASS', spam: 'PASS' },
      });
      expect((await mailsOf(person)).map(({ direction }) => direction)).toEqual(['sent', 'received']);
    },
  );

  it('answers all: other people have it in their mailboxes', async () => {
    const own = await workspace();
    const ben = `ben@${own.slug}.example.test`;
    const { path } = await written(own, { cc: [ben] });
    await cloud().control('POST', `${path}/replies`, { text: 'Hi all', all: true });
    expect((await mailsOf(ben)).map(({ subject }) => subject)).toEqual(['Re: Your order', 'Your order']);
  });

  it('bounces, complains and is out of the office', async () => {
    const own = await workspace();
    const { path } = await written(own);
    await cloud().control('POST', `${path}/auto-reply`, {});
    expect(await inbound(own)).toMatchObject([{ category: 'out_of_office' }]);
    await cloud().control('POST', `${path}/bounce`, { kind: 'soft' });
    await cloud().control('POST', `${path}/complain`);
    const { events, state } = await cloud().control<{ events: { type: string }[]; state: string }>(
      'GET',
      path,
    );
    expect([events.map(({ type }) => type), state]).toEqual([
      ['SEND', 'DELIVERY', 'BOUNCE', 'COMPLAINT'],
      'complained',
    ]);
  });

  it('unsubscribes with one click, and refuses what a message has not', async () => {
    const own = await workspace();
    const { path, person } = await written(own, { unsubscribe: true });
    expect(await cloud().control('POST', `${path}/unsubscribe`)).toEqual({ status: 200, location: null });
    const { body } = await api(own).get<{ data: unknown[] }>('/suppressions');
    expect(body.data).toMatchObject([{ address: person }]);
    await expect(cloud().control('POST', `${path}/open`)).rejects.toThrow('no open-tracking pixel');
    await expect(cloud().control('POST', `${path}/click`, {})).rejects.toThrow('no such tracked link');
  });

  it('who wrote by SMTP is there, with html in a page that runs nothing', async () => {
    const own = await workspace();
    const from = `smtp@${own.slug}.example.test`;
    const html = '<p>Hi</p><script>alert(1)</script>';
    await cloud().sendMail({ from, to: `support@${own.providedDomain}`, subject: 'Hi', html });
    const [mail] = await mailsOf(from);
    const page = await fetch(`${cloud().controlUrl}/people/${from}/messages/${mail?.id}/html`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).not.toContain('alert');
  });
});

it('the built-in receiver checks signatures', async () => {
  const own = await workspace();
  const url = `${cloud().controlUrl}/receiver/${own.slug}`;
  const { body } = await api(own).post<{ id: string; secret: string }>('/webhook-endpoints', {
    ...{ url, subscriptions: ['email.sent'] },
  });
  const endpoint = { endpoint_id: body.id, secret: body.secret };
  await cloud().control('POST', `/receiver/${own.slug}/endpoint`, endpoint);
  await written(own);
  await fetch(url, { method: 'POST', body: '{}' });
  const { data } = await cloud().control<{ data: { endpoint_id: string; signature: string }[] }>(
    'GET',
    '/receiver',
  );
  expect(data.filter((one) => one.endpoint_id === body.id).map(({ signature }) => signature)).toEqual([
    'missing',
    'valid',
  ]);
});

describe('the control routes', () => {
  /** The status of a request with headers that `fetch` would not send. */
  const statusOf = (method: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const outgoing = request(`${cloud().controlUrl}/clock`, { method, headers }, (incoming) => {
        incoming.resume();
        resolve(incoming.statusCode);
      });
      outgoing.on('error', reject).end(method === 'POST' ? '{"advance_seconds":0}' : undefined);
    });

  it('answer this machine and their own pages only', async () => {
    const { host, origin, port } = new URL(cloud().controlUrl);
    expect(await statusOf('GET', { host: 'evil.test' })).toBe(403);
    expect(await statusOf('GET', { host: `localhost:${port}` })).toBe(200);
    expect(await statusOf('POST', { host, origin: 'http://evil.test' })).toBe(403);
    expect(await statusOf('POST', { host, origin: 'null' })).toBe(403);
    expect(await statusOf('POST', { host, origin })).toBe(200);
  });

  it('tell what became due when the panel moves the clock, and what SES did', async () => {
    expect(await cloud().control('POST', '/panel/advance', { seconds: 0 })).toMatchObject({ due_count: 0 });
    const panel = await cloud().control<{ regions: unknown[]; queues: unknown[] }>('GET', '/panel');
    expect(panel.regions).toHaveLength(2);
    expect(panel.queues.length).toBeGreaterThan(5);
  });
});
