/** Open and click tracking: engagements, bot detection, and links that cannot be forged. */
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { linkIn, onlyMailTo } from '../support/mail-links.ts';
import { receiver } from '../support/receiver.ts';
import { workspace } from '../support/workspace.ts';

const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
const target = 'https://example.com/offer?a=1&b=2#top';
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Tracked mail that was delivered a minute ago. */
async function sent(tracking: object = { track_opens: true, track_clicks: true }, given: object = {}) {
  const ours = await workspace();
  const client = api(ours);
  const hook = await receiver();
  await client.post('/webhook-endpoints', {
    url: hook.url,
    subscriptions: ['email.opened', 'email.clicked'],
  });
  const [domain] = (await client.get('/domains')).body.data;
  expect((await client.patch(`/domains/${domain?.id}`, tracking)).status).toBe(200);
  const from = `news@${ours.providedDomain}`;
  const answer = await client.post('/emails', {
    from,
    to: 'anna@example.test',
    subject: 'News',
    html: `<p><a href="${target.replaceAll('&', '&amp;')}">Offer</a> <a data-no-track href="https://example.com/plain">plain</a></p>`,
    text: `Offer: ${target}`,
    ...given,
  });
  expect(answer.status).toBe(201);
  await cloud().waitForQuiescence();
  await cloud().advance(60);
  const path = `/emails/${answer.body.id}`;
  return {
    client,
    domainPath: `/domains/${domain?.id}`,
    mail: await onlyMailTo('anna@example.test', from),
    engagements: async () => (await client.get(path)).body.engagements,
    events: async () => {
      await cloud().waitForQuiescence();
      return hook.requests.map(({ body }) => JSON.parse(body)).map(({ type, data }) => ({ type, ...data }));
    },
    id: answer.body.id,
  };
}

const visit = (url: string, userAgent = phone, method = 'GET') =>
  fetch(url, { method, redirect: 'manual', headers: { 'user-agent': userAgent } });

describe('a domain', () => {
  it('tracks only what its settings turn on', async () => {
    const { client, domainPath, mail } = await sent({ track_opens: false });
    expect(mail.html).toContain(`href="${target.replaceAll('&', '&amp;')}"`);
    expect(mail.html).not.toContain('/t/');
    expect((await client.get(domainPath)).body.tracking).toEqual({ opens: false, clicks: false });
    const changed = await client.patch(domainPath, { track_clicks: true });
    expect(changed.body.tracking).toEqual({ opens: false, clicks: true });
    expect((await client.get(domainPath)).body).toEqual(changed.body);
  });
});

describe('an open', () => {
  it('is recorded and sent as email.opened when the pixel is fetched', async () => {
    const { mail, engagements, events, id } = await sent();
    const answer = await visit(linkIn(mail.html, '/t/o/'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/gif');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 6)
        .toString(),
    ).toBe('GIF89a');
    expect(await engagements()).toEqual([
      { type: 'open', at: timestamp, url: null, user_agent: phone, bot: false },
    ]);
    expect(await events()).toEqual([
      expect.objectContaining({ type: 'email.opened', email_id: id, user_agent: phone, bot: false }),
    ]);
  });

  it('is not recorded when the token of the pixel is invalid', async () => {
    const { mail, engagements } = await sent();
    const url = linkIn(mail.html, '/t/o/').replace(/.{20}$/, '');
    expect((await visit(url)).status).toBe(200);
    expect(await engagements()).toEqual([]);
  });
});

describe('a click', () => {
  it('redirects to the target, is recorded and sent as email.clicked', async () => {
    const { mail, engagements, events } = await sent();
    const answer = await visit(linkIn(mail.html, '/t/c/'));
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(target);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(await engagements()).toEqual([
      { type: 'click', at: timestamp, url: target, user_agent: phone, bot: false },
    ]);
    expect(await events()).toEqual([
      expect.objectContaining({ type: 'email.clicked', url: target, user_agent: phone, bot: false }),
    ]);
  });

  it('is not tracked in text bodies and for links with data-no-track', async () => {
    const { mail } = await sent();
    expect(mail.text).toContain(`Offer: ${target}`);
    expect(mail.html).toContain('href="https://example.com/plain"');
    expect(mail.html.match(/\/t\/c\//g)).toHaveLength(1);
  });

  it('is answered 404 when the link was altered', async () => {
    const { mail, engagements } = await sent();
    const link = linkIn(mail.html, '/t/c/');
    const elsewhere = Buffer.from('https://evil.test/').toString('base64url');
    for (const url of [
      link.slice(0, -8),
      `${link}${elsewhere}`,
      link.replace('/t/c/', '/t/c/A'),
      `${link.slice(0, link.indexOf('/t/c/'))}/t/c/${elsewhere}`,
    ]) {
      const answer = await visit(url);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('location')).toBeNull();
    }
    expect(await engagements()).toEqual([]);
  });

  it('is not recorded when the request is HEAD', async () => {
    const { mail, engagements } = await sent();
    const answer = await visit(linkIn(mail.html, '/t/c/'), phone, 'HEAD');
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(target);
    expect(await engagements()).toEqual([]);
  });

  it('is answered 404 when the token is that of an unsubscribe link, and the other way round', async () => {
    const { mail } = await sent(undefined, { unsubscribe: true });
    const unsubscribe = linkIn(mail.html, '/u/');
    expect((await visit(unsubscribe)).status).toBe(200);
    expect((await visit(unsubscribe.replace('/u/', '/t/c/'))).status).toBe(404);
    expect((await visit(linkIn(mail.html, '/t/c/').replace('/t/c/', '/u/'))).status).toBe(404);
  });
});

describe('an engagement', () => {
  it('is marked as a bot when a scanner makes it, or within seconds of the delivery', async () => {
    const { mail, engagements, client } = await sent();
    const link = linkIn(mail.html, '/t/c/');
    await visit(link, 'Mozilla/5.0 (compatible; Barracuda Sentinel)');
    await visit(link, phone);
    expect(await engagements()).toMatchObject([{ bot: false }, { bot: true }]);
    const [domain] = (await client.get('/domains')).body.data;
    const from = `fresh@${(domain as { name?: string } | undefined)?.name}`;
    const fresh = await client.post('/emails', {
      from,
      to: 'ben@example.test',
      subject: 'S',
      html: '<p>x</p>',
    });
    await cloud().waitForQuiescence();
    await visit(linkIn((await onlyMailTo('ben@example.test', from)).html, '/t/o/'));
    expect((await client.get(`/emails/${fresh.body.id}`)).body.engagements).toMatchObject([{ bot: true }]);
  });
});
