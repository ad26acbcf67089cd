/** Unsubscribing from optional mail: one-click (RFC 8058), the page behind the link, a reply. */
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { linkIn, mailTo, onlyMailTo } from '../support/mail-links.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

interface Suppression {
  readonly address: string;
  readonly key: string;
  readonly scope: string;
  readonly reason: string;
}

const oneClick = {
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
};
const form = (body: string) => ({ ...oneClick, method: 'POST', body });

/** Sent optional mail, with an endpoint for email.unsubscribed. */
async function sent(given: object = {}) {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver();
  await client.post('/webhook-endpoints', { url: hook.url, subscriptions: ['email.unsubscribed'] });
  const from = `news@${ours.providedDomain}`;
  const { status, body } = await client.post('/emails', {
    from: `Acme <News> & Co <${from}>`,
    to: 'anna@example.test',
    subject: 'News',
    html: '<p>News</p>',
    text: 'News',
    unsubscribe: true,
    ...given,
  });
  expect(status).toBe(201);
  await cloud().waitForQuiescence();
  return {
    client,
    from,
    id: body.id,
    suppressions: async () => {
      const list = await client.get<{ data: Suppression[] }>('/suppressions');
      return list.body.data.map(({ address, key, scope, reason }) => ({ address, key, scope, reason }));
    },
    /** The data of the events received so far. */
    events: async () => {
      await cloud().waitForQuiescence();
      return hook.requests.map(({ body }) => JSON.parse(body).data as object);
    },
  };
}

const listed = { address: 'anna@example.test', key: '*', scope: 'all', reason: 'unsubscribe' };

describe('optional mail', () => {
  it('is sent to each recipient separately, with an unsubscribe link of their own', async () => {
    const { from, client, id } = await sent({
      to: ['anna@example.test', 'ben@example.test'],
      bcc: 'cleo@example.test',
    });
    const mails = await Promise.all(
      ['anna@example.test', 'ben@example.test', 'cleo@example.test'].map((to) => onlyMailTo(to, from)),
    );
    expect(mails.map(({ recipients }) => recipients.length)).toEqual([1, 1, 1]);
    const links = mails.map(({ headers }) => linkIn(headers['list-unsubscribe'] ?? '', '/u/'));
    expect(new Set(links).size).toBe(3);
    for (const [at, { html, text, headers }] of mails.entries()) {
      expect(linkIn(html, '/u/')).toBe(links[at]);
      expect(linkIn(text, '/u/')).toBe(links[at]);
      expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
      expect(headers['list-unsubscribe']).toContain(`<mailto:${from}?subject=unsubscribe%20`);
    }
    const { body } = await client.get(`/emails/${id}`);
    expect(body).toMatchObject({ status: 'delivered', html: '<p>News</p>', text: 'News' });
  });

  it('is one email with the history of each recipient', async () => {
    const to = ['gone+bounce@example.test', ...Array.from({ length: 8 }, (_, at) => `r${at}@example.test`)];
    const { from, client, id } = await sent({ to });
    for (const one of to) expect(await mailTo(one, from)).toHaveLength(1);
    const { body } = await client.get(`/emails/${id}`);
    const events = body.events as { type: string; recipients: string[] }[];
    const of = (type: string) =>
      events.filter((event) => event.type === type).flatMap((event) => event.recipients);
    expect(of('sent').sort()).toEqual(to.toSorted());
    expect(of('delivered').sort()).toEqual(to.slice(1).toSorted());
    expect(of('bounced')).toEqual(to.slice(0, 1));
    expect(body.status).toBe('bounced');
  });

  it('has no unsubscribe header or link when unsubscribe is false', async () => {
    const { from } = await sent({ unsubscribe: false, html: '<p>{{unsubscribe_url}}</p>' });
    const { headers, html } = await onlyMailTo('anna@example.test', from);
    expect(headers['list-unsubscribe']).toBeUndefined();
    expect(html.trim()).toBe('<p>{{unsubscribe_url}}</p>');
  });
});

describe('one-click unsubscribe', () => {
  it('suppresses the recipient once and sends email.unsubscribed', async () => {
    const { from, id, suppressions, events, client } = await sent({ suppression_key: 'news' });
    const { headers } = await onlyMailTo('anna@example.test', from);
    const link = linkIn(headers['list-unsubscribe'] ?? '', '/u/');
    for (let times = 0; times < 2; times++) {
      expect((await fetch(link, { method: 'POST', ...oneClick })).status).toBe(200);
    }
    expect(await suppressions()).toEqual([{ ...listed, key: 'news' }]);
    expect(await events()).toEqual([
      {
        email_id: id,
        domain_id: expect.stringMatching(/^dom_/),
        mailbox_id: null,
        address: 'anna@example.test',
        key: 'news',
        scope: 'all',
        source: 'one_click',
      },
    ]);
    const { body } = await client.get(`/emails/${id}`);
    expect(body.events).toContainEqual(
      expect.objectContaining({ type: 'unsubscribed', recipients: ['anna@example.test'] }),
    );
  });

  it('accepts multipart/form-data (RFC 8058)', async () => {
    const { from, events } = await sent();
    const { headers } = await onlyMailTo('anna@example.test', from);
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    const answer = await fetch(linkIn(headers['list-unsubscribe'] ?? '', '/u/'), { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(await events()).toMatchObject([{ source: 'one_click', scope: 'all' }]);
  });
});

describe('the unsubscribe page', () => {
  it('names sender and recipient, needs no script, and changes nothing when it is read', async () => {
    const { from, suppressions } = await sent({ text: 'News '.repeat(2000) });
    const { html } = await onlyMailTo('anna@example.test', from);
    const answer = await fetch(linkIn(html, '/u/'));
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('Acme &lt;News&gt; &amp; Co');
    expect(page).toContain('anna@example.test');
    expect(page).toContain('<form method="post">');
    expect(page).not.toContain('<script');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
      ),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(await suppressions()).toEqual([]);
  });

  it('is in the language of the browser, and so is its confirmation', async () => {
    const { from } = await sent();
    const { html } = await onlyMailTo('anna@example.test', from);
    const link = linkIn(html, '/u/');
    const headers = { 'accept-language': 'de-CH,de;q=0.9,en;q=0.5' };
    const page = await fetch(link, { headers });
    expect(page.headers.get('vary')).toBe('accept, accept-language');
    expect(await page.text()).toContain('<html lang="de">');
    const done = await fetch(link, { method: 'POST', body: new URLSearchParams({ scope: 'all' }), headers });
    expect(await done.text()).toContain('Sie sind abgemeldet');
  });

  it('suppresses optional mail when the person chooses so, and widens to all mail later', async () => {
    const { from, suppressions, events } = await sent();
    const { html } = await onlyMailTo('anna@example.test', from);
    const link = linkIn(html, '/u/');
    const first = await fetch(link, form('scope=optional'));
    expect(await first.text()).toContain('optional emails have stopped');
    expect(await suppressions()).toEqual([{ ...listed, scope: 'optional' }]);
    const second = await fetch(link, form('scope=all'));
    expect(await second.text()).toContain('All emails from this sender have stopped');
    await fetch(link, form('scope=optional'));
    expect(await suppressions()).toEqual([listed]);
    expect(await events()).toMatchObject([
      { scope: 'optional', source: 'link' },
      { scope: 'all', source: 'link' },
    ]);
  });

  it('is answered 404 when the link was forged or altered', async () => {
    const { from, suppressions } = await sent();
    const { html } = await onlyMailTo('anna@example.test', from);
    const link = linkIn(html, '/u/');
    const altered = `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`;
    const shortened = link.slice(0, -10);
    for (const url of [shortened, `${link}AAAA`, link.replace(/\/u\/.*/, '/u/x'), `${altered}A`]) {
      for (const request of [{}, form('scope=all')]) {
        const answer = await fetch(url, request);
        expect(answer.status).toBe(404);
        expect(await answer.text()).toContain('This link does not work');
      }
    }
    expect(await suppressions()).toEqual([]);
  });
});

describe('a reply', () => {
  const answer = async (from: string, text: string, author = 'anna@example.test', more = {}) => {
    const [mail] = await cloud()
      .sentTo('anna@example.test')
      .then((all) => all.filter((one) => one.from === from));
    await cloud().sendMail({
      from: author,
      to: from,
      subject: 'Re: News',
      text,
      inReplyTo: mail?.message_id ?? '',
      headers: { 'X-Local-Dkim-Verdict': 'PASS' },
      ...more,
    });
    await cloud().waitForQuiescence();
  };

  it('suppresses its author when it is an opt-out word', async () => {
    // Large enough to be stored in the bucket.
    const { from, suppressions, events } = await sent({ html: `<p>${'News '.repeat(2000)}</p>` });
    await answer(from, `Stop!\n\nOn Mon, Acme wrote:\n> News\n`);
    expect(await suppressions()).toEqual([listed]);
    expect(await events()).toMatchObject([{ address: 'anna@example.test', source: 'reply', scope: 'all' }]);
  });

  it('suppresses nobody when it says more, or comes from another address', async () => {
    const { from, suppressions } = await sent();
    await answer(from, 'Stop by on Monday');
    await answer(from, 'stop', 'eve@example.test');
    expect(await suppressions()).toEqual([]);
  });

  it('suppresses nobody when nothing proves its author', async () => {
    const { from, suppressions } = await sent();
    await answer(from, 'stop', 'anna@example.test', { headers: {} });
    await answer(from, 'stop', 'anna@example.test', { headers: { 'X-Local-Spf-Verdict': 'FAIL' } });
    expect(await suppressions()).toEqual([]);
  });

  it('suppresses its author when SPF proves the domain of the author', async () => {
    const { from, suppressions } = await sent();
    await answer(from, 'stop', 'anna@example.test', { headers: { 'X-Local-Spf-Verdict': 'PASS' } });
    expect(await suppressions()).toEqual([listed]);
  });

  it('suppresses nobody when the mail was not optional', async () => {
    const { from, suppressions } = await sent({ unsubscribe: false });
    await answer(from, 'Stop');
    expect(await suppressions()).toEqual([]);
  });

  it('suppresses the recipient when a mail program wrote it from the List-Unsubscribe header', async () => {
    const { from, suppressions } = await sent();
    const { headers } = await onlyMailTo('anna@example.test', from);
    const [, subject = ''] = /mailto:[^?]+\?subject=([^>]+)>/.exec(headers['list-unsubscribe'] ?? '') ?? [];
    await cloud().sendMail({
      from: 'other@example.test',
      to: from,
      subject: decodeURIComponent(subject),
      text: '',
    });
    await cloud().waitForQuiescence();
    expect(await suppressions()).toEqual([listed]);
  });
});
