/** Raw messages of received mail: each belongs to one record and goes with it; what belongs to none gets the tag by which it expires. */
import { describe, expect, it } from 'vitest';
import { type Api, api } from '../support/api.ts';
import { recordedCalls } from '../support/calls.ts';
import { cloud } from '../support/cloud.ts';
import { finishDeletion } from '../support/marked-thread.ts';
import { objects } from '../support/stored.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { workspace } from '../support/workspace.ts';

const lines = (...all: string[]) => all.join('\r\n');
const mailFrom = (from: string, to: string, id: string, ...headers: string[]) =>
  lines(...headers, `From: ${from}`, `To: ${to}`, 'Subject: Raw', `Message-ID: <${id}@raw.test>`, '', 'Hi');

/** Receives a message, and what has become of its raw message: objects that are new, and calls that let one expire. */
async function received(from: string, to: string | string[], raw: string) {
  const before = new Set(await objects());
  const calls = await recordedCalls(() => cloud().sendMail({ from, to, raw }));
  const added = (await objects()).filter((path) => !before.has(path) && /raw/.test(path));
  return { added, expiring: calls.filter(({ action }) => action === 'PutObjectTagging').length };
}

async function deleteAll(client: Api): Promise<void> {
  for (const { id } of (await client.get('/emails')).body.data) await client.delete(`/emails/${id}`);
  await finishDeletion();
}

async function start() {
  const own = await workspace();
  const client = api(own);
  return { own, client, to: `desk@${own.providedDomain}`, id: () => crypto.randomUUID() };
}

describe('the raw message', () => {
  it('of stored mail does not expire, and goes with the email', async () => {
    const { client, to, id } = await start();
    const { added, expiring } = await received('ann@buyer.test', to, mailFrom('ann@buyer.test', to, id()));
    expect([added.length, expiring]).toEqual([1, 0]);
    await deleteAll(client);
    expect(await objects()).not.toContain(added[0]);
  });

  it('of mail to nobody, of a loop and of a repeated message expires', async () => {
    const { own, client, to, id } = await start();
    const nobody = to.replace(own.slug, `no-${own.slug}`);
    const from = 'ann@buyer.test';
    expect(await received(from, nobody, mailFrom(from, nobody, id()))).toMatchObject({ expiring: 1 });
    const loop = Array.from(
      { length: 40 },
      () => 'Received: from a.test by b.test; Sat, 21 Nov 2026 09:00:00 +0000',
    );
    expect(await received(from, to, mailFrom(from, to, id(), ...loop))).toMatchObject({ expiring: 1 });
    const once = mailFrom(from, to, id());
    expect(await received(from, to, once)).toMatchObject({ expiring: 0 });
    expect(await received(from, to, once)).toMatchObject({ expiring: 1 });
    await deleteAll(client);
    expect(await received(from, to, once)).toMatchObject({ expiring: 1 });
    expect((await client.get('/emails')).body.data).toEqual([]);
  });

  it('of blocked mail waits for its record', async () => {
    const { client, to, id } = await start();
    await client.post('/inbound-rules', { action: 'block', pattern: '@spam.test' });
    const from = 'eve@spam.test';
    const raw = mailFrom(from, to, id());
    expect(await received(from, to, raw)).toMatchObject({ expiring: 0 });
    // Sent again, it has another object, which nobody needs.
    expect(await received(from, to, raw)).toMatchObject({ expiring: 1 });
    const [event] = (await client.get('/events?type=email.blocked')).body.data;
    const blockedId = String(Object(event?.data).blocked_email_id);
    expect((await client.post(`/blocked-emails/${blockedId}/accept`)).status).toBe(204);
    await cloud().waitForQuiescence();
    expect((await client.get('/emails')).body.data).toHaveLength(1);
  });

  it('of mail to several workspaces is a copy in each, which goes with its email', async () => {
    const [one, other] = [await start(), await start()];
    const to = [one.to, other.to];
    const { added, expiring } = await received(
      'ann@buyer.test',
      to,
      mailFrom('ann@buyer.test', to.join(', '), one.id()),
    );
    const own = ({ own: { id } }: typeof one) => added.filter((path) => path.includes(id));
    expect([added.length, expiring, own(one).length, own(other).length]).toEqual([3, 1, 1, 1]);
    await deleteAll(one.client);
    const left = await objects();
    expect(left).not.toContain(own(one)[0]);
    expect(left).toContain(own(other)[0]);
    expect((await other.client.get('/emails')).body.data).toHaveLength(1);
    await deleteAll(other.client);
    expect((await objects()).filter((path) => own(other).includes(path))).toEqual([]);
  });

  it('of mail that is blocked for one address of a space and not for another is a copy for each', async () => {
    const { own, client, id } = await start();
    const domain = await verifiedDomain(client, null);
    const [open, closed] = [`open@${domain.name}`, `closed@${domain.name}`];
    const from = 'ann@buyer.test';
    await client.post('/inbound-rules', { action: 'block', pattern: from, address: closed });
    const to = [open, closed];
    const { added, expiring } = await received(from, to, mailFrom(from, to.join(', '), id()));
    expect([added.filter((path) => path.includes(own.id)).length, expiring]).toEqual([2, 1]);
    await deleteAll(client);
    const left = (await objects()).filter((path) => path.includes(own.id));
    expect(left.map((path) => path.includes('/b/blk_'))).toEqual([true]);
  });
});
