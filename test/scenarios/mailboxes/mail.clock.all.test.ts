/** More of the mail of connected mailboxes: lost and repeated pushes, deaths of workers, spaces (docs/concepts/mailboxes.md#mail-in). */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { redriveDeadLetters } from '../../../lib/adapters/dead-letters.ts';
import { callsDuring, clearFaults, inject, killPoints, waitingQueues } from '../../faults/kit.ts';
import { type Api, api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { connectAt } from '../../support/connect-mailbox.ts';
import {
  type ConnectedMailbox,
  connectMailbox,
  disconnectAll,
  message,
  type Provider,
  providers,
  sendCalls,
  settle,
} from '../../support/emulated-mailbox.ts';
import { itemsOf, naming, objects } from '../../support/stored.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

let own: TestWorkspace;
let client: Api;

beforeAll(async () => {
  own = await workspace();
  client = api(own);
});
afterEach(async () => {
  await clearFaults();
  // Each move of the clock would go through their polls.
  await disconnectAll(client);
});

const connect = (provider: Provider): Promise<ConnectedMailbox> => connectMailbox(own, provider);

/** Emails of a subject, oldest first. */
async function emailsOf(subject: string) {
  const { body } = await client.get(`/emails?limit=100&query=${encodeURIComponent(subject)}`);
  return [...body.data].map((one) => Object(one)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Those of other workspaces expire when the clock moves. */
async function ownObjects(): Promise<string[]> {
  return (await objects()).filter((path) => path.includes(own.id));
}

async function read(id: unknown) {
  const { body } = await client.get(`/emails/${id}`);
  return body;
}

describe.each(providers)('a mailbox of %s', (provider) => {
  it('brings in mail once when pushes are lost or repeated, and the provider has forgotten the position', async () => {
    const mailbox = await connect(provider);
    const subject = `Once ${crypto.randomUUID()}`;
    const arrive = (name: string) =>
      mailbox.receive(message('ben@elsewhere.test', mailbox.address, `${subject} ${name}`));
    const pushes = (body: object) => cloud().control('POST', `/mailbox-providers/${provider}/pushes`, body);
    await pushes({ hold: true });
    await arrive('lost');
    await pushes({ drop: true });
    await arrive('repeated');
    await pushes({ release: { duplicate: true, shuffle: 1 }, hold: false });
    await settle();
    const account = `/mailbox-providers/${provider}/accounts/${mailbox.address}`;
    await arrive('forgotten');
    await cloud().control('POST', `${account}/forget-history`, {});
    await client.post(`/mailboxes/${mailbox.id}/sync`);
    await settle(600);
    const subjects = (await emailsOf(subject)).map((one) => one.subject).sort();
    expect(subjects).toEqual(['forgotten', 'lost', 'repeated'].map((name) => `${subject} ${name}`));
  });

  it('reads what came while it was disconnected when it is connected again', async () => {
    const mailbox = await connect(provider);
    const subject = `Meanwhile ${crypto.randomUUID()}`;
    await settle();
    await client.delete(`/mailboxes/${mailbox.id}`);
    await mailbox.receive(message('ben@elsewhere.test', mailbox.address, subject));
    await settle();
    expect(await emailsOf(subject)).toEqual([]);
    const request = { provider, return_to: 'https://acme.test/connected' };
    const { body } = await client.post('/mailboxes/connect', request);
    expect(await connectAt(String(body.url), { address: mailbox.address })).toBe(mailbox.id);
    await settle();
    expect(await emailsOf(subject)).toEqual([expect.objectContaining({ direction: 'inbound' })]);
  });

  it('sends once when the answer of the provider is lost', async () => {
    const mailbox = await connect(provider);
    const subject = `Lost ${crypto.randomUUID()}`;
    await inject({ kind: 'timeout-after', principal: mailbox.address, ...sendCalls[provider] });
    const { body } = await client.post('/emails', {
      from: mailbox.address,
      to: ['ben@elsewhere.test'],
      subject,
      text: 'Hi',
    });
    await cloud().waitForQuiescence();
    expect(await cloud().control('GET', '/faults')).toEqual({ data: [] });
    // The time in which the message may be found in the mailbox.
    for (const seconds of [300, 60]) await settle(seconds + 1);
    expect(await read(body.id)).toMatchObject({ status: 'sent' });
    expect(await mailbox.stored('sent')).toHaveLength(1);
  });

  it('sends once when its worker is killed at any call', async () => {
    const mailbox = await connect(provider);
    const worker = 'send-mailbox-mail';
    const send = async (subject: string) =>
      (
        await client.post('/emails', {
          from: mailbox.address,
          to: ['ben@elsewhere.test'],
          subject,
          text: 'Hi',
        })
      ).body;
    const calls = (await callsDuring(() => send('Count')))(worker);
    expect(calls).toBeGreaterThan(4);
    const sent: unknown[] = [];
    for (const point of killPoints(worker, calls)) {
      await inject(point);
      sent.push((await send('Killed')).id);
      await cloud().waitForQuiescence();
      await clearFaults();
    }
    // The visibility timeout of the queue, then the time in which the message may be found in the mailbox.
    for (const seconds of [900, 300, 60]) await settle(seconds + 1);
    for (const id of sent) expect(await read(id)).toMatchObject({ status: 'sent' });
    expect(await mailbox.stored('sent')).toHaveLength(sent.length + 1);
  });
});

describe.each(providers)('mail of %s', (provider) => {
  it('is stored once, and told once, when its workers are killed at any call', async () => {
    const mailbox = await connect(provider);
    const subject = `Killed ${crypto.randomUUID()}`;
    const workers = ['sync-mailbox', 'receive-mailbox-mail'] as const;
    const arrive = async (name: string) => {
      await mailbox.receive(message('ben@elsewhere.test', mailbox.address, `${subject} ${name}`));
      await client.post(`/mailboxes/${mailbox.id}/sync`);
      await cloud().waitForQuiescence();
    };
    const calls = await callsDuring(() => arrive('calm'));
    for (const worker of workers) expect(calls(worker), worker).toBeGreaterThan(4);
    const rounds = Math.max(...workers.map(calls));
    for (let round = 0; round < rounds; round++) {
      for (const worker of workers) {
        const skip = Math.round((round * (calls(worker) - 1)) / (rounds - 1));
        await inject({ worker, kind: round % 2 === 0 ? 'kill-after' : 'kill-before', skip, match: own.id });
      }
      await arrive(String(round));
      await clearFaults();
    }
    // The longest visibility timeout of both queues.
    for (let at = 0; at < 2; at += 1) await settle(900);
    const emails = await emailsOf(subject);
    const names = ['calm', ...Array.from({ length: rounds }, (_, round) => String(round))];
    expect(emails.map((one) => one.subject).sort()).toEqual(names.map((name) => `${subject} ${name}`).sort());
    const { body } = await client.get('/events?type=email.received&limit=100');
    const told = body.data.map(({ data }) => Object(data).email_id);
    for (const { id } of emails) expect(told.filter((one) => one === id)).toEqual([id]);
  });
});

describe.each(providers)('a mailbox of %s in a space', (provider) => {
  it('leaves nothing behind when the space is deleted while its mail comes in', async () => {
    const { id: space_id } = (await client.post('/spaces', { name: 'Acme' })).body;
    const before = await ownObjects();
    const mailbox = await connectMailbox(own, provider, { space_id });
    const arriving = Array.from({ length: 12 }, (_, at) =>
      mailbox.receive(message(`ben-${at}@elsewhere.test`, mailbox.address, `Late ${at}`)),
    );
    await Promise.all(arriving);
    const syncing = client.post(`/mailboxes/${mailbox.id}/sync`);
    expect((await client.delete(`/spaces/${space_id}`)).status).toBe(204);
    await syncing;
    // Three steps of the removal, which begins 15 minutes after the deletion.
    for (let at = 0; at < 4; at += 1) await settle(901);
    // The outbox ends by TTL.
    const left = (await itemsOf(own.id)).filter(({ pk }) => !/#(AUDIT|OUT)$/.test(String(pk)));
    expect(naming(left, mailbox.id)).toEqual([]);
    expect(naming(left, String(space_id))).toEqual([]);
    expect(await ownObjects()).toEqual(before);
  });
});

describe('an address that is no active mailbox', () => {
  it('is refused', async () => {
    const mailbox = await connect('google');
    await client.delete(`/mailboxes/${mailbox.id}`);
    const email = { from: mailbox.address, to: ['ben@elsewhere.test'], subject: 'x', text: 'x' };
    const { status, body } = await client.post('/emails', email);
    expect([status, body.code]).toEqual([409, 'mailbox_inactive']);
  });
});

describe('a message that the provider does not give', () => {
  it('ends in the dead-letter queue, and becomes an email when that is redriven', async () => {
    const mailbox = await connect('google');
    const subject = `Refused ${crypto.randomUUID()}`;
    const deadLetters = async () => (await waitingQueues())['parley-mailbox-mail-dead-letters'] ?? 0;
    const before = await deadLetters();
    const refusal = { kind: 'error', status: 403, code: 'forbidden', times: 1000 } as const;
    await inject({ ...refusal, service: 'gmail', action: 'messages.get', principal: mailbox.address });
    await mailbox.receive(message('ben@elsewhere.test', mailbox.address, subject));
    for (let quarter = 0; quarter < 8 && (await deadLetters()) === before; quarter++) await settle(900);
    expect(await deadLetters()).toBe(before + 1);
    expect(await emailsOf(subject)).toEqual([]);
    await clearFaults();
    await redriveDeadLetters('mailbox-mail');
    await settle();
    expect(await emailsOf(subject)).toEqual([expect.objectContaining({ direction: 'inbound' })]);
  });
});
