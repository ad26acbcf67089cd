/** Tracking and unsubscribe links on a host of the workspace's own. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { changeSettings } from '../../lib/services/workspaces/workspaces.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { linkIn, onlyMailTo } from '../support/mail-links.ts';
import { workspace } from '../support/workspace.ts';

const host = 'links.acme.test';

async function sender() {
  const own = await workspace();
  const client = api(own);
  const { data } = (await client.get('/domains')).body;
  await client.patch(`/domains/${data[0]?.id}`, { track_opens: true, track_clicks: true });
  let count = 0;
  return {
    own,
    ...client,
    /** Sends a mail with all kinds of links and returns it as sent. */
    async mail(headers: Readonly<Record<string, string>> = {}) {
      const to = `to-${++count}-${own.slug}@example.test`;
      const from = `a@${own.providedDomain}`;
      const html = '<p><a href="https://shop.example/">Shop</a></p>';
      const body = { from, to, subject: 'S', html, unsubscribe: true };
      expect(await postWith(headers, '/emails', own.key, body)).toBe(201);
      await cloud().waitForQuiescence();
      const mail = await onlyMailTo(to, from);
      const unsubscribe = linkIn(mail.headers['list-unsubscribe'] ?? '', '/u/');
      return { to, links: [linkIn(mail.html, '/t/o/'), linkIn(mail.html, '/t/c/'), unsubscribe] };
    },
  };
}

/** The status of a POST with any headers, `Host` included, which `fetch` does not let us choose. */
async function postWith(
  headers: Readonly<Record<string, string>>,
  path: string,
  key: string,
  body: unknown,
): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const sent = request(
      `${cloud().baseUrl}${path}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

const hostsOf = (links: readonly string[]) => [...new Set(links.map((link) => new URL(link).origin))];

describe('the link domain of a workspace', () => {
  it('is the host of all links, which work at every host of the deployment', async () => {
    const { own, mail, get } = await sender();
    await changeSettings(own.id, { linkDomain: host });
    const { to, links } = await mail();
    expect(hostsOf(links)).toEqual([`https://${host}`]);
    const [, click = '', unsubscribe = ''] = links;
    const atApi = (link: string) => `${new URL(cloud().baseUrl).origin}${new URL(link).pathname}`;
    const followed = await fetch(atApi(click), { redirect: 'manual' });
    expect(followed.headers.get('location')).toBe('https://shop.example/');
    expect((await fetch(atApi(unsubscribe), { method: 'POST' })).status).toBe(200);
    const { data } = (await get('/suppressions')).body;
    expect(data.map(({ address }) => address)).toEqual([to]);
  });

  it('does not follow the Host of the request, and belongs to its workspace alone', async () => {
    const [ours, theirs] = [await sender(), await sender()];
    // The local API writes the port of the Host header into links, as it has one.
    const { port } = new URL(cloud().baseUrl);
    const forged = {
      host: `evil.test:${port}`,
      'x-forwarded-host': 'evil.test',
      forwarded: 'host=evil.test',
    };
    await changeSettings(ours.own.id, { linkDomain: host });
    expect(hostsOf((await ours.mail(forged)).links)).toEqual([`https://${host}`]);
    expect(hostsOf((await theirs.mail(forged)).links)).toEqual([new URL(cloud().baseUrl).origin]);
  });

  it('is that of the API again when it is taken away', async () => {
    const { own, mail } = await sender();
    await changeSettings(own.id, { linkDomain: host });
    await changeSettings(own.id, { linkDomain: null });
    expect(hostsOf((await mail()).links)).toEqual([new URL(cloud().baseUrl).origin]);
  });
});
