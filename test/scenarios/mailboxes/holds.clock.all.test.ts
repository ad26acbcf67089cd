/** Email that the provider of its mailbox does not take for now (docs/concepts/sending.md#mailboxes). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearFaults, type Fault, inject } from '../../faults/kit.ts';
import { type Api, api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import {
  type ConnectedMailbox,
  connectMailbox,
  disconnectAll,
  providers,
  sendCalls,
  settle,
} from '../../support/emulated-mailbox.ts';
import { workspace } from '../../support/workspace.ts';

describe.each(providers)('a mailbox of %s', (provider) => {
  let client: Api;
  let mailbox: ConnectedMailbox;
  beforeEach(async () => {
    const own = await workspace();
    client = api(own);
    mailbox = await connectMailbox(own, provider);
  });
  afterEach(async () => {
    await clearFaults();
    await disconnectAll(client);
  });

  const failSends = (fault: Pick<Fault, 'kind' | 'status' | 'times'>) =>
    inject({ ...fault, ...sendCalls[provider], principal: mailbox.address });

  async function send(subject: string): Promise<unknown> {
    const email = { from: mailbox.address, to: ['ben@elsewhere.test'], subject, text: 'Hi' };
    const { body } = await client.post('/emails', email);
    await cloud().waitForQuiescence();
    return body.id;
  }

  const read = async (id: unknown) => (await client.get(`/emails/${id}`)).body;
  const statusesOf = async (ids: readonly unknown[]) =>
    await Promise.all(ids.map(async (id) => (await read(id)).status));

  it.each<[string, Pick<Fault, 'kind' | 'status' | 'times'>]>([
    ['throttles once', { kind: 'throttle', times: 1 }],
    // With each of two tokens.
    ['refuses the access token', { kind: 'error', status: 401, times: 2 }],
  ])('sends in order when the provider %s', async (_, fault) => {
    await failSends(fault);
    const subjects = ['First', 'Second', 'Third'];
    const ids: unknown[] = [];
    for (const subject of subjects) ids.push(await send(subject));
    expect(await statusesOf(ids)).toEqual(['queued', 'queued', 'queued']);
    await settle(90);
    expect(await statusesOf(ids)).toEqual(['sent', 'sent', 'sent']);
    const times = await Promise.all(ids.map(async (id) => String((await read(id)).sent_at)));
    expect(times.toSorted()).toEqual(times);
    expect((await mailbox.stored('sent')).map(({ subject }) => subject).sort()).toEqual(subjects);
    expect(await statusesOf([await send('Fourth')])).toEqual(['sent']);
  });

  it('fails what waits at once when it is disconnected', async () => {
    await failSends({ kind: 'throttle', times: 100 });
    const ids = [await send('First'), await send('Second')];
    await client.delete(`/mailboxes/${mailbox.id}`);
    await cloud().waitForQuiescence();
    expect(await statusesOf(ids)).toEqual(['failed', 'failed']);
    for (const id of ids) {
      const failed = { type: 'failed', detail: 'The mailbox is not connected.' };
      expect((await read(id)).events).toContainEqual(expect.objectContaining(failed));
    }
  });

  it('fails what its provider has not taken for a day', async () => {
    await failSends({ kind: 'throttle', times: 1_000_000 });
    const ids = [await send('First'), await send('Second')];
    for (let hour = 0; hour < 24; hour++) await settle(3600);
    expect(await statusesOf(ids)).toEqual(['failed', 'failed']);
    const { events } = await read(ids[0]);
    const detail = expect.stringMatching(/^the provider has not taken it for a day: .* answered 429/);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', detail }));
  });
});
