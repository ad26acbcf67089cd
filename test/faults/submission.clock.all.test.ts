import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import { now, timestamp } from '../../lib/adapters/clock.ts';
import { env } from '../../lib/env.ts';
import { unconfirmedWaitMs } from '../../lib/services/sending/submit-chunk.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import {
  addresses,
  callsDuring,
  clearFaults,
  copiesOf,
  type EmailBody,
  eventsFor,
  inject,
  killPoints,
  newSender,
  put,
  type Sender,
  sqsClient,
  untilDone,
  withFault,
} from './kit.ts';

const people = (count: number) => addresses(crypto.randomUUID().slice(0, 8), count);

/** Fails unless SES accepted one copy for each of `recipients`, and the events of the email say so. */
async function expectOneCopyEach(sender: Sender, { id }: EmailBody, recipients: readonly string[]) {
  expect(await copiesOf(id)).toEqual(new Map(recipients.map((one) => [one, 1])));
  const { status, events } = await sender.read(id);
  expect(status).toBe('delivered');
  for (const type of ['sent', 'delivered']) {
    const named = events.filter((event) => event.type === type).flatMap((event) => event.recipients);
    expect(named.sort()).toEqual([...recipients].sort());
  }
}

const regions = ['us-east-1', 'eu-central-1'];

async function holdEvents(hold: boolean): Promise<void> {
  for (const region of regions) await cloud().control('POST', `/ses/${region}/events`, { hold });
}

afterEach(async () => {
  await clearFaults();
  await holdEvents(false);
});

/** The log events of an email, with the attempt that each is about. */
async function loggedFor({ id }: EmailBody): Promise<readonly (readonly [string, number])[]> {
  const { data } = await cloud().control<{ data: { text: string }[] }>('GET', '/logs');
  const lines = data.filter(({ text }) => text.startsWith('{') && text.includes(id));
  const events: readonly { event: string; attempt: number }[] = lines.map(({ text }) => JSON.parse(text));
  return events
    .filter(({ event }) => ['submission.repeated', 'submission.completed_by_report'].includes(event))
    .map(({ event, attempt }) => [event, attempt]);
}

describe('send-mail', () => {
  it('submits once and sends email.sent once when it is killed at any AWS call', async () => {
    const sender = await newSender();
    const calls = (await callsDuring(() => sender.send(people(1))))('send-mail');
    expect(calls).toBeGreaterThan(6);
    const sent: [EmailBody, string[]][] = [];
    for (const point of killPoints('send-mail', calls)) {
      const to = people(1);
      sent.push([await withFault(point, () => sender.send(to)), to]);
    }
    await untilDone();
    for (const [email, to] of sent) {
      await expectOneCopyEach(sender, email, to);
      expect(eventsFor(sender, email.id)).toEqual(['email.delivered', 'email.sent']);
    }
  });

  it('submits once to each of 300 recipients when it is killed eight times in six chunks, and answers to any chunk join the thread', async () => {
    const sender = await newSender();
    const to = people(300);
    const kills = [
      // A claim.
      { kind: 'kill-after', action: 'PutItem' },
      { kind: 'kill-after', action: 'BatchGetItem', skip: 1 },
      { kind: 'kill-after', action: 'SendEmail' },
      { kind: 'kill-before', action: 'SendEmail', skip: 1 },
      // A completed chunk, its Message-ID and its history entry, each of another chunk.
      { kind: 'kill-after', action: 'PutItem', match: '"S":"accepted"', skip: 1 },
      { kind: 'kill-after', action: 'UpdateItem', match: '#MID#', skip: 1 },
      { kind: 'kill-after', action: 'PutItem', match: '"S":"sent"', skip: 1 },
    ] as const;
    for (const kill of kills) await inject({ worker: 'send-mail', ...kill });
    // The end of the email, by whichever worker completes it.
    await inject({ kind: 'kill-after', action: 'TransactWriteItems', match: 'email.sent' });
    const email = await sender.send(to);
    await untilDone();
    expect(await cloud().control('GET', '/faults')).toEqual({ data: [] });
    await expectOneCopyEach(sender, email, to);
    expect(eventsFor(sender, email.id).filter((type) => type === 'email.sent')).toHaveLength(1);
    const sent = (await sender.read(email.id)).events.filter(({ type }) => type === 'sent');
    expect(new Set(sent.map(({ detail }) => detail)).size).toBe(6);
    for (const { detail, recipients } of sent)
      await cloud().sendMail({
        from: recipients[0] ?? '',
        to: sender.from,
        subject: 'Re: Hello',
        text: 'Yes',
        inReplyTo: detail ?? '',
      });
    await cloud().waitForQuiescence();
    expect(await sender.thread(email.thread_id)).toMatchObject({ message_count: 7 });
  });
});

describe('an unconfirmed submission', () => {
  const unconfirmedWaitSeconds = unconfirmedWaitMs / 1000;

  it('is completed by the event of SES', async () => {
    const sender = await newSender();
    const to = people(1);
    await holdEvents(true);
    const email = await withFault({ kind: 'timeout-after', service: 'ses', action: 'SendEmail' }, () =>
      sender.send(to),
    );
    await cloud().advance(unconfirmedWaitSeconds - 60);
    expect((await sender.read(email.id)).status).toBe('sending');
    await holdEvents(false);
    await untilDone();
    await expectOneCopyEach(sender, email, to);
    expect(eventsFor(sender, email.id)).toEqual(['email.delivered', 'email.sent']);
  });

  it('is not repeated when SQS delivers its message again', async () => {
    const sender = await newSender();
    const to = people(1);
    await holdEvents(true);
    const email = await withFault({ kind: 'timeout-after', service: 'ses', action: 'SendEmail' }, () =>
      sender.send(to),
    );
    const message = { kind: 'send-mail', v: 1, workspaceId: sender.own.id, emailId: email.id, chunk: null };
    for (let times = 0; times < 3; times++) await put('mail', JSON.stringify(message));
    await cloud().waitForQuiescence();
    expect(await copiesOf(email.id)).toEqual(new Map([[to[0], 1]]));
    await holdEvents(false);
    await untilDone();
    await put('mail', JSON.stringify(message));
    await untilDone();
    await expectOneCopyEach(sender, email, to);
    expect(eventsFor(sender, email.id)).toEqual(['email.delivered', 'email.sent']);
  });

  it.each(['timeout-after', 'kill-after'] as const)(
    'is completed in time when provider-event is killed twice (%s)',
    async (kind) => {
      const sender = await newSender();
      const to = people(1);
      // SQS redelivers the report after the visibility timeout, which is shorter than the wait.
      await inject({ worker: 'provider-event', kind: 'kill-before', times: 2 });
      await inject({ kind, service: 'ses', action: 'SendEmail' });
      const email = await sender.send(to);
      await untilDone();
      await expectOneCopyEach(sender, email, to);
      expect(eventsFor(sender, email.id)).toEqual(['email.delivered', 'email.sent']);
    },
  );

  it('waits longer than two failures of provider-event take, plus a minute', async () => {
    const { Attributes } = await sqsClient().send(
      new GetQueueAttributesCommand({
        QueueUrl: env().QUEUE_URLS['provider-events'],
        AttributeNames: ['VisibilityTimeout'],
      }),
    );
    expect(2 * Number(Attributes?.VisibilityTimeout) + 60).toBeLessThanOrEqual(unconfirmedWaitSeconds);
  });

  it('is repeated when no event of SES arrives in the wait, and not a second earlier', async () => {
    const sender = await newSender();
    const to = people(1);
    const beganAt = now();
    const email = await withFault({ kind: 'drop-before', service: 'ses', action: 'SendEmail' }, () =>
      sender.send(to),
    );
    await untilDone();
    const [sent] = await cloud().sentTo(to[0] ?? '');
    expect(Date.parse(sent?.at ?? '') - beganAt).toBeGreaterThanOrEqual(unconfirmedWaitMs);
    await expectOneCopyEach(sender, email, to);
    expect(eventsFor(sender, email.id)).toEqual(['email.delivered', 'email.sent']);
  });

  it.each([
    ['before', 'submission.repeated', 2],
    ['after', 'submission.completed_by_report', 1],
  ] as const)(
    'is logged once when its worker was killed %s the call of SES',
    async (moment, event, attempt) => {
      const sender = await newSender();
      const to = people(1);
      const kill = { worker: 'send-mail', kind: `kill-${moment}`, action: 'SendEmail' } as const;
      const email = await withFault(kill, () => sender.send(to));
      await untilDone();
      await expectOneCopyEach(sender, email, to);
      expect(await loggedFor(email)).toEqual([[event, attempt]]);
    },
  );

  it('threads answers to both copies when it is repeated although SES had accepted it', async () => {
    const sender = await newSender();
    const [to = ''] = people(1);
    await holdEvents(true);
    const email = await withFault({ kind: 'timeout-after', service: 'ses', action: 'SendEmail' }, () =>
      sender.send([to]),
    );
    await cloud().advance(unconfirmedWaitSeconds + 1);
    await holdEvents(false);
    await untilDone();
    const copies = await cloud().sentTo(to);
    expect(copies).toHaveLength(2);
    for (const { message_id: inReplyTo } of copies)
      await cloud().sendMail({ from: to, to: sender.from, subject: 'Re: Hello', text: 'Yes', inReplyTo });
    await cloud().waitForQuiescence();
    expect(await sender.thread(email.thread_id)).toMatchObject({ message_count: 3 });
    expect(eventsFor(sender, email.id).filter((type) => type === 'email.sent')).toHaveLength(1);
  });

  it('is completed by a late event when the repeated submission is throttled', async () => {
    const sender = await newSender();
    const to = people(1);
    await holdEvents(true);
    const email = await withFault({ kind: 'timeout-after', service: 'ses', action: 'SendEmail' }, () =>
      sender.send(to),
    );
    await inject({ kind: 'throttle', service: 'ses', action: 'SendEmail', match: email.id });
    await cloud().advance(unconfirmedWaitSeconds + 1);
    await holdEvents(false);
    await untilDone();
    await expectOneCopyEach(sender, email, to);
    expect(eventsFor(sender, email.id)).toEqual(['email.delivered', 'email.sent']);
  });
});

describe('a throttled submission', () => {
  it('is repeated later', async () => {
    const sender = await newSender();
    const recipients = people(3);
    const sent: EmailBody[] = [];
    await inject({ kind: 'throttle', service: 'ses', action: 'SendEmail', times: 1000 });
    for (const to of recipients) {
      sent.push(await sender.send([to]));
      await cloud().waitForQuiescence();
      await cloud().advance(2);
    }
    for (const { id } of sent) expect((await sender.read(id)).status).toBe('queued');
    await clearFaults();
    await untilDone();
    for (const [at, email] of sent.entries()) {
      await expectOneCopyEach(sender, email, [recipients[at] ?? '']);
      expect(eventsFor(sender, email.id)).toEqual(['email.delivered', 'email.sent']);
    }
  });

  it('is repeated for as long as SES throttles', async () => {
    const sender = await newSender();
    const to = people(1);
    await inject({ kind: 'throttle', service: 'ses', action: 'SendEmail', times: 1000 });
    const email = await sender.send(to);
    for (let minutes = 0; minutes < 2; minutes++) await cloud().advance(60);
    expect((await sender.read(email.id)).status).toBe('queued');
    await clearFaults();
    await untilDone();
    await expectOneCopyEach(sender, email, to);
  });

  it('delays the other chunks by seconds, and completes the email when it succeeds', async () => {
    const sender = await newSender();
    const to = people(150);
    const chunk = { match: `"chunk","Value":"1"`, times: 1000 };
    await inject({ kind: 'throttle', service: 'ses', action: 'SendEmail', ...chunk });
    const email = await sender.send(to);
    await cloud().waitForQuiescence();
    await cloud().advance(10);
    await clearFaults();
    expect((await copiesOf(email.id)).size).toBe(100);
    expect((await sender.read(email.id)).status).toBe('sending');
    await untilDone();
    await expectOneCopyEach(sender, email, to);
    expect(eventsFor(sender, email.id).filter((type) => type === 'email.sent')).toHaveLength(1);
  });
});

describe('the hold of a region', () => {
  const afterQuiescence = async <T>(value: T) => {
    await cloud().waitForQuiescence();
    return value;
  };

  const paused = {
    kind: 'error',
    service: 'ses',
    action: 'SendEmail',
    code: 'SendingPausedException',
    message: 'Sending is paused for this account.',
  } as const;

  it('lets only the oldest email try, and then sends all, the oldest first', async () => {
    const sender = await newSender();
    const recipients = people(4);
    const times = 1000;
    await inject({ ...paused, times });
    for (const to of recipients) {
      await sender.send([to]);
      await cloud().waitForQuiescence();
      await cloud().advance(4);
    }
    // At once, and then every five minutes.
    await cloud().advance(600);
    const { data } = await cloud().control<{ data: { times: number }[] }>('GET', '/faults');
    expect(times - (data[0]?.times ?? 0)).toBe(3);
    await clearFaults();
    // A new email waits behind the queued ones.
    const last = people(1);
    recipients.push(...last);
    const email = await sender.send(last);
    await cloud().waitForQuiescence();
    expect((await sender.read(email.id)).status).toBe('queued');
    await untilDone();
    const sent = await Promise.all(
      recipients.map(async (to) => (await cloud().sentTo(to)).map(({ at }) => at)),
    );
    expect(sent.map(({ length }) => length)).toEqual(recipients.map(() => 1));
    expect(sent.flat().toSorted()[0]).toBe(sent[0]?.[0]);
    // Nothing is queued, so the next email is sent at once.
    const next = people(1);
    await expectOneCopyEach(sender, await sender.send(next).then(afterQuiescence), next);
  });
});

describe('a refused submission', () => {
  const refusal = {
    kind: 'error',
    service: 'ses',
    action: 'SendEmail',
    code: 'MessageRejected',
    message: 'Email address is on a list.',
  } as const;

  it('fails the email, sends email.failed once, and is not repeated', async () => {
    const sender = await newSender();
    const to = people(1);
    const email = await withFault(refusal, () => sender.send(to));
    await cloud().advance(3600);
    await untilDone();
    expect(await copiesOf(email.id)).toEqual(new Map());
    const { status, events } = await sender.read(email.id);
    expect({ status, events }).toEqual({
      status: 'failed',
      events: [
        {
          type: 'failed',
          at: expect.any(String),
          recipients: to,
          detail: 'MessageRejected: Email address is on a list.',
        },
      ],
    });
    expect(eventsFor(sender, email.id)).toEqual(['email.failed']);
  });

  it('fails the recipients of its chunk only when the email has three chunks', async () => {
    const sender = await newSender();
    const to = people(150);
    const email = await withFault({ ...refusal, match: `"chunk","Value":"1"` }, () => sender.send(to));
    await untilDone();
    const { status, events } = await sender.read(email.id);
    expect(status).toBe('delivered');
    const failed = events.filter(({ type }) => type === 'failed').flatMap(({ recipients }) => recipients);
    const delivered = events
      .filter(({ type }) => type === 'delivered')
      .flatMap(({ recipients }) => recipients);
    expect([failed.length, delivered.length]).toEqual([50, 100]);
    expect([...failed, ...delivered].sort()).toEqual([...to].sort());
    expect((await copiesOf(email.id)).size).toBe(100);
    expect(eventsFor(sender, email.id)).toEqual(['email.delivered', 'email.delivered', 'email.sent']);
  });
});

describe('a scheduled email', () => {
  const inAnHour = () => timestamp(now() + 3_600_000);
  /** Moves the clock to a time, whatever has passed of it by itself. */
  const advanceTo = (at: string, moreSeconds: number) =>
    cloud().advance((Date.parse(at) - now()) / 1000 + moreSeconds);

  it('is sent once at its time when the worker that promotes it is killed', async () => {
    const sender = await newSender();
    const recipients = people(3);
    const at = inAnHour();
    const emails = [];
    for (const to of recipients) emails.push(await sender.send([to], { scheduled_at: at }));
    await advanceTo(at, -10);
    expect(await cloud().sentTo(recipients[0] ?? '')).toEqual([]);
    for (const skip of [0, 3, 6]) await inject({ worker: 'send-mail', kind: 'kill-after', skip });
    await cloud().advance(20);
    await cloud().waitForQuiescence();
    await clearFaults();
    await untilDone();
    for (const [number, email] of emails.entries())
      await expectOneCopyEach(sender, email, [recipients[number] ?? '']);
  });

  it('is sent by the sweep when its timer was lost', async () => {
    const sender = await newSender();
    const to = people(1);
    const at = inAnHour();
    const { id } = await sender.send(to, { scheduled_at: at });
    await cloud().waitForQuiescence();
    const email = await sender.read(id);
    await inject({
      worker: 'forward-delayed',
      kind: 'error',
      action: 'SendMessage',
      code: 'Lost',
      times: 1000,
    });
    await advanceTo(at, 110);
    await cloud().waitForQuiescence();
    expect((await sender.read(id)).status).toBe('scheduled');
    await cloud().advance(60);
    await cloud().waitForQuiescence();
    await expectOneCopyEach(sender, email, to);
  });

  it('fails at its time when the domain of its sender was deleted', async () => {
    const sender = await newSender();
    const { post, delete: remove } = api(sender.own);
    const name = `${sender.own.slug}.test`;
    const { body: domain } = await post('/domains', { name });
    const records = (domain.records as Record<string, unknown>[]).map(({ type, name, value, priority }) => ({
      ...{ type, name, value, priority },
    }));
    await cloud().control('POST', '/dns', { records });
    await post(`/domains/${domain.id}/verify`);
    await untilDone();
    const [to = ''] = people(1);
    const at = { from: `hi@${name}`, scheduled_at: inAnHour() };
    const [kept, email] = [await sender.send([to], { from: at.from }), await sender.send([to], at)];
    await untilDone();
    expect((await sender.read(kept.id)).status).toBe('delivered');
    expect((await remove(`/domains/${domain.id}`)).status).toBe(204);
    await cloud().advance(3601);
    await untilDone();
    expect((await sender.read(email.id)).status).toBe('failed');
    expect(eventsFor(sender, email.id)).toEqual(['email.failed']);
    expect(await cloud().sentTo(to)).toHaveLength(1);
  });
});
