/** Inbound rules and mail of connected mailboxes, at both emulated providers (docs/concepts/inbound-rules.md). */
import { afterEach, describe, expect, it } from 'vitest';
import { type Api, api } from '../../support/api.ts';
import { connectMailbox, disconnectAll, message, providers, settle } from '../../support/emulated-mailbox.ts';
import { workspace } from '../../support/workspace.ts';

let client: Api;
afterEach(() => disconnectAll(client));

describe.each(providers)('a mailbox of %s', (provider) => {
  it('has mail blocked and let in, but not what its owner sends', async () => {
    const own = await workspace();
    client = api(own);
    const mailbox = await connectMailbox(own, provider);
    const rule = { action: 'block', pattern: '@elsewhere.test', address: mailbox.address };
    expect((await client.post('/inbound-rules', rule)).status).toBe(201);
    await mailbox.receive(message('ben@elsewhere.test', mailbox.address, 'Question'));
    await mailbox.receive(message('ann@friend.test', mailbox.address, 'Hello'));
    await mailbox.send(message(mailbox.address, 'ben@elsewhere.test', 'Offer'));
    await settle();
    const subjects = async () =>
      (await client.get('/emails?limit=100')).body.data.map((one) => Object(one).subject).toSorted();
    expect(await subjects()).toEqual(['Hello', 'Offer']);

    const { body } = await client.get('/events?type=email.blocked');
    const events = body.data.map((one) => Object(one).data);
    expect(events).toMatchObject([
      { from: 'ben@elsewhere.test', to: [mailbox.address], subject: 'Question' },
    ]);
    const accepted = await client.post(`/blocked-emails/${events[0]?.blocked_email_id}/accept`);
    expect(accepted.status).toBe(204);
    await settle();
    expect(await subjects()).toEqual(['Hello', 'Offer', 'Question']);
  });
});
