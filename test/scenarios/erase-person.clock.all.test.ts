/** `person erase`: a marked person in every feature, and nothing of them anywhere in the end (docs/concepts/deletion.md#erasing-a-person). */
import { afterEach, describe, expect, it } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import type { WorkspaceId } from '../../lib/core/ids.ts';
import { eventTypes } from '../../lib/core/webhooks/event-types.ts';
import { includedParts } from '../../lib/core/webhooks/included.ts';
import { clearFaults, deadLetters, inject } from '../faults/kit.ts';
import { type Api, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { connectMailbox, disconnectAll, message, providers, settle } from '../support/emulated-mailbox.ts';
import { connected } from '../support/live-socket.ts';
import { linkIn, mailTo } from '../support/mail-links.ts';
import { findStored, finishDeletion, listed, markedThread } from '../support/marked-thread.ts';
import { adminResult, runAdmin } from '../support/operator.ts';
import { receiver } from '../support/receiver.ts';
import { objects } from '../support/stored.ts';
import { interceptTable } from '../support/table-calls.ts';
import { v1Client } from '../support/v1-client.ts';
import { verifiedDomain } from '../support/verified-domain.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

afterEach(clearFaults);

interface Report extends Readonly<Record<string, unknown>> {
  readonly emails: number;
  readonly in_progress: readonly string[];
}

const erase = (own: TestWorkspace, address: string, more: string) =>
  adminResult(
    ['person', 'erase', '--workspace', own.slug, '--address', address, ...more.split(' ')].filter(Boolean),
  ) as Promise<Report>;
const dryRun = (own: TestWorkspace, address: string) => erase(own, address, '--dry-run');
const erased = (own: TestWorkspace, address: string) => erase(own, address, `--confirm ${address}`);

/** The counts that an erasure leaves at zero. */
const nothing = {
  ...{ emails: 0, emails_naming: 0, scheduled: 0, drafts: 0, threads: 0, files: 0, raw_messages: 0 },
  ...{ events: 0, deliveries: 0, blocked_emails: 0, suppressions: 0, correspondents: 0 },
  ...{ inbound_rules: 0, audit_entries: 0, in_progress: [] },
};

/** Every item, object and message of the whole deployment, the schedules and the log, where they have one of the words. */
async function anywhere(words: readonly string[]): Promise<string[]> {
  const stored = await findStored('' as WorkspaceId, words);
  const has = (value: unknown) => words.some((word) => JSON.stringify(value).toLowerCase().includes(word));
  const lists = await Promise.all(
    ['/schedules', '/logs'].map(
      async (path) => (await cloud().control<{ data: unknown[] }>('GET', path)).data,
    ),
  );
  return [
    ...stored,
    ...lists
      .flat()
      .filter(has)
      .map((one) => JSON.stringify(one)),
  ];
}

const inAnHour = () => timestamp(now() + 3_600_000);

async function start() {
  const own = await workspace();
  const client = api(own);
  const domain = await verifiedDomain(client, null);
  await client.patch(`/domains/${domain.id}`, { track_opens: true, track_clicks: true });
  const hook = await receiver();
  const { body: endpoint } = await client.post('/webhook-endpoints', {
    ...{ url: hook.url, subscriptions: [...eventTypes], include: [...includedParts] },
  });
  await cloud().waitForQuiescence();
  const tag = own.slug.replaceAll('-', '');
  const of = { from: `desk@${domain.name}`, person: `anna@${tag}.example.test`, word: `w${tag}` };
  return { own, client, hook, endpointId: String(endpoint.id), of };
}
type Started = Awaited<ReturnType<typeof start>>;

/** Mail that is answered by a bounce, an opt-out, or nothing, and mail that waits. */
async function sendAround({ client, of: { from, person, word } }: Started): Promise<void> {
  const mail = { from, to: `Name ${word} <${person}>`, subject: word, text: word };
  await client.post('/emails', { ...mail, scheduled_at: inAnHour() });
  await client.post('/emails', { ...mail, to: 'ben@elsewhere.test', cc: [person, 'carl@elsewhere.test'] });
  await client.post('/emails', { ...mail, to: 'ben@elsewhere.test', bcc: [person] });
  await client.post('/emails', { ...mail, unsubscribe: true, suppression_key: 'news' });
  await cloud().waitForQuiescence();
  const [latest] = (await mailTo(person, from)).toReversed();
  await fetch(linkIn(latest?.headers['list-unsubscribe'] ?? '', '/u/'), { method: 'POST' });
  const [{ id } = { id: '' }] = await cloud().sentTo(person);
  const content = {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: person, diagnosticCode: word }],
    timestamp: timestamp(now()),
    feedbackId: 'f-1',
  };
  await cloud().control('POST', `/sent/${id}/events`, { type: 'BOUNCE', content });
  await cloud().waitForQuiescence();
}

/** Mail of version 1, mail that is blocked, mail of others that quotes the person, lists that name them. */
async function fillLists(
  { own, client, of: { from, person, word } }: Started,
  thread: string,
): Promise<void> {
  await client.post(`/threads/${thread}/forward`, { to: 'sales@elsewhere.test', note: word });
  await client.post('/inbound-rules', { action: 'block', pattern: person, note: word });
  await cloud().sendMail({ from: person, to: from, subject: `Blocked ${word}`, text: word });
  await client.post('/suppressions', { addresses: [person], key: 'manual', note: `${word} asked` });
  await runAdmin(['member', 'add', '--workspace', own.slug, '--email', person]);
  await runAdmin(['member', 'remove', '--workspace', own.slug, '--email', person]);
  const { data } = (await client.get('/usage')).body;
  expect(JSON.stringify(data)).not.toContain(word);
  await cloud().waitForQuiescence();
}

/** Mail of the person in a mailbox of each provider, and an answer from there. */
async function exchangeInMailboxes({ own, client, of: { person, word } }: Started): Promise<void> {
  for (const provider of providers) {
    const mailbox = await connectMailbox(own, provider);
    await mailbox.receive(message(person, mailbox.address, `${word} ${provider}`));
    await settle();
    await client.post('/emails', { from: mailbox.address, to: person, subject: word, text: word });
    await cloud().waitForQuiescence();
  }
  await disconnectAll(client);
}

/** Mail that a pacing rule holds. */
async function hold({ client, of: { from, person, word } }: Started): Promise<void> {
  const limit = { scope: 'from_address', amount: 1, per_seconds: 3600 };
  await client.post('/pacing-rules', { name: 'Slow', match: [], kind: 'limit', limit });
  for (const _ of [1, 2]) await client.post('/emails', { from, to: person, subject: word, text: word });
  await cloud().waitForQuiescence();
}

async function suppressionsOf(client: Api, address: string) {
  const { body } = await client.get(`/suppressions?address=${encodeURIComponent(address)}`);
  return body.data;
}

describe('person erase', () => {
  it('leaves nothing of a person in any feature, and a suppression without the address', async () => {
    const started = await start();
    const { own, client, endpointId, of } = started;
    const { person, word, from } = of;
    const before = await objects();
    const live = await connected(own);
    await live.subscribe();
    const marked = await markedThread(client, of);
    await v1Client(own)('sendEmail', { ...{ from, to: person, subject: word, text: word } });
    await exchangeInMailboxes(started);
    await fillLists(started, marked.thread);
    await sendAround(started);
    await cloud().advance(15);
    await cloud().waitForQuiescence();
    const kept = { from, to: 'ben@elsewhere.test', subject: 'Other', text: 'Nothing of her.' };
    const { body: other } = await client.post('/emails', kept);
    await cloud().waitForQuiescence();
    expect((await suppressionsOf(client, person)).length).toBe(3);

    const counted = await dryRun(own, person);
    expect(counted).toMatchObject({ dry_run: true, in_progress: [], is_member: false, mailbox: null });
    const zero = Object.entries(counted).filter(([, value]) => value === 0);
    expect(zero.map(([name]) => name)).toEqual([]);
    expect((await client.get(`/threads/${marked.thread}`)).status).toBe(200);

    const done = await erased(own, person);
    expect(done).toEqual({ ...counted, dry_run: false });
    expect(await listed(client, endpointId)).not.toContain(word);
    expect(await dryRun(own, person)).toMatchObject(nothing);
    expect(await erased(own, person)).toMatchObject(nothing);
    await finishDeletion();

    expect(await anywhere([word, person])).toEqual([]);
    expect((await client.get(`/emails/${other.id}`)).status).toBe(200);
    expect((await objects()).filter((path) => !before.includes(path) && path.includes('/e/'))).toEqual([]);
    const left = await suppressionsOf(client, person);
    expect(left.map(({ address, note }) => [address, note])).toEqual([1, 2, 3].map(() => ['erased', null]));
    const again = await client.post('/emails', { ...kept, to: person });
    expect([again.status, again.body?.code]).toEqual([400, 'no_recipients']);
    const audit = (await adminResult(['audit', 'list', '--workspace', own.slug])) as { subject: string }[];
    expect(audit.filter(({ subject }) => subject === 'person erase')).toHaveLength(2);
    expect(JSON.stringify(audit)).not.toContain(person);
    await disconnectAll(client);
  });

  it('names what is held or being sent, and erases it when it has left', async () => {
    const started = await start();
    const { own, of } = started;
    await hold(started);
    const first = await erased(own, of.person);
    expect(first).toMatchObject({ emails: 1 });
    expect(first.in_progress).toHaveLength(1);
    await cloud().advance(3700);
    await cloud().waitForQuiescence();
    expect(await erased(own, of.person)).toMatchObject({ emails: 1, in_progress: [] });
    await finishDeletion();
    expect(await anywhere([of.person, of.word])).toEqual([]);
  });

  it('is continued by another run where one has failed', async () => {
    const started = await start();
    const { own, client, of } = started;
    for (const subject of ['One', 'Two', 'Three']) {
      await client.post('/emails', { from: of.from, to: of.person, subject, text: of.word });
    }
    await cloud().waitForQuiescence();
    const counted = await dryRun(own, of.person);
    expect(counted.emails).toBe(3);
    await inject({ kind: 'error', service: 'dynamodb', action: 'TransactWriteItems', skip: 1, times: 50 });
    await expect(erased(own, of.person)).rejects.toThrow('ended with 1');
    await clearFaults();
    const audit = (await adminResult(['audit', 'list', '--workspace', own.slug])) as { subject: string }[];
    expect(audit.map(({ subject }) => subject)).toContain('person erase');
    expect((await erased(own, of.person)).emails).toBeLessThanOrEqual(3);
    expect(await dryRun(own, of.person)).toMatchObject(nothing);
    await finishDeletion();
    expect(await anywhere([of.person, of.word])).toEqual([]);
  });

  it('erases with the next run what is sent, answered and reported during one', async () => {
    const started = await start();
    const deadBefore = await deadLetters();
    const { own, client, of } = started;
    const { from, person, word } = of;
    const mail = { from, to: person, subject: word, text: word };
    const { body: first } = await client.post('/emails', mail);
    for (const _ of [1, 2]) await client.post('/emails', mail);
    await cloud().waitForQuiescence();
    const [{ id: sesId, message_id: inReplyTo } = { id: '', message_id: '' }] = await cloud().sentTo(person);
    const recipients = [{ emailAddress: person, diagnosticCode: word }];
    const bounce = { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: recipients };
    const meanwhile = [
      () => client.post('/emails', mail),
      () =>
        cloud().control('POST', `/sent/${sesId}/events`, {
          type: 'BOUNCE',
          content: { ...bounce, timestamp: timestamp(now()), feedbackId: 'f-2' },
        }),
      () => cloud().sendMail({ from: person, to: from, subject: `Re: ${word}`, text: word, inReplyTo }),
      () => client.delete(`/threads/${first.thread_id}`),
    ];
    let calls = 0;
    await interceptTable(
      async (input, send) => {
        if (++calls % 15 === 0) await meanwhile.shift()?.();
        return await send(input);
      },
      () => erased(own, person),
    );
    expect(meanwhile).toEqual([]);
    await cloud().waitForQuiescence();
    await erased(own, person);
    await finishDeletion();
    expect(await erased(own, person)).toMatchObject(nothing);
    expect(await anywhere([person, word])).toEqual([]);
    expect(await deadLetters()).toBe(deadBefore);
    expect((await suppressionsOf(client, person)).map(({ address }) => address)).toEqual(['erased']);
  });

  it('erases an address to which no mail can be sent, and refuses what is none', async () => {
    const { own, of } = await start();
    const person = `jörg..b@${own.slug}.example.test`;
    await cloud().sendMail({
      from: `x@${own.slug}.test`,
      to: of.from,
      raw: [`From: ${person}`, '', of.word].join('\r\n'),
    });
    await cloud().waitForQuiescence();
    expect(await dryRun(own, person.toUpperCase())).toMatchObject({ emails: 1 });
    await erased(own, person);
    await finishDeletion();
    expect(await anywhere([person, of.word])).toEqual([]);
    for (const address of ['anna', '@x.test', 'anna@', 'a <b@x.test>', `${'a'.repeat(1000)}@x.test`]) {
      const refused = ['person', 'erase', '--workspace', own.slug, '--address', address, '--dry-run'];
      expect(await runAdmin(refused)).toMatchObject({ code: 2 });
    }
  });

  it('leaves other people alone, whose addresses contain the person', async () => {
    const { own, client, of } = await start();
    for (const to of [`jo${of.person}`, `${of.person}.org`]) {
      await client.post('/emails', { from: of.from, to, subject: 'Other', text: 'Other' });
    }
    await cloud().waitForQuiescence();
    expect(await dryRun(own, of.person)).toMatchObject(nothing);
  });
});
