/** What an erased workspace stops doing at once, seen from outside (docs/administration.md#erasing-a-workspace). */
import { describe, expect, it } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { eraseWorkspace } from '../../lib/services/workspaces/erase-workspace.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { linkIn, onlyMailTo } from '../support/mail-links.ts';
import { receiver } from '../support/receiver.ts';
import { itemsOf, keysOf } from '../support/stored.ts';
import { workspace } from '../support/workspace.ts';

describe('an erased workspace', () => {
  it('answers, sends, receives, redirects and delivers nothing from the answer of the command on', async () => {
    const own = await workspace();
    const client = api(own);
    const from = `support@${own.providedDomain}`;
    const address = (label: string) => `${label}-${own.slug}@example.test`;
    const [domain] = (await client.get('/domains')).body.data;
    await client.patch(`/domains/${domain?.id}`, { track_opens: true, track_clicks: true });
    const hook = await receiver(() => ({ status: 503 }));
    await client.post('/webhook-endpoints', {
      url: hook.url,
      subscriptions: ['email.sent', 'email.received'],
    });
    const html = '<p><a href="https://acme.dev/">Orders</a></p>';
    const mail = { from, subject: 'Your order', html, unsubscribe: true };
    const send = async (label: string, more: object = {}) =>
      expect((await client.post('/emails', { ...mail, to: address(label), ...more })).status).toBe(201);
    await send('read');
    await cloud().waitForQuiescence();
    const read = await onlyMailTo(address('read'), from);
    const links = [linkIn(read.html, '/t/c/'), linkIn(read.headers['list-unsubscribe'] ?? '', '/u/')];
    await send('scheduled', { scheduled_at: timestamp(now() + 3_600_000) });
    const limit = { scope: 'rule', amount: 1, per_seconds: 3600 };
    await client.post('/pacing-rules', { name: 'Slow', match: [], kind: 'limit', limit });
    await send('first');
    await send('held');
    await cloud().waitForQuiescence();
    const attempts = hook.requests.length;
    expect(attempts).toBeGreaterThan(0);

    await eraseWorkspace(own, 'workspace erase');
    expect((await client.get('/emails')).status).toBe(401);
    for (const link of links) {
      const { status } = await fetch(link, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0' } });
      expect(status, link).toBe(404);
    }
    await cloud().sendMail({ from: address('read'), to: [from], subject: 'Re: Your order', text: 'Thanks' });
    await cloud().advance(2 * 3600);
    await cloud().waitForQuiescence();
    expect(hook.requests.length).toBe(attempts);
    expect(await cloud().sentTo(address('scheduled'))).toEqual([]);
    expect(await cloud().sentTo(address('held'))).toEqual([]);
    // Slots of pacing have keys that are hashes, hold no address, and expire.
    expect(keysOf(await itemsOf(own.id)).filter((key) => !key.includes('#PACE#'))).toEqual([]);
  });
});
