/** Each alarm of the templates: its fault in the local cloud fires it, and it clears after the fault. */
import { getEnvironmentData } from 'node:worker_threads';
import { SESClient, SetActiveReceiptRuleSetCommand } from '@aws-sdk/client-ses';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clockSkewKey, now, timestamp } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import { type QueueName, queues } from '../../lib/core/access/access.ts';
import { localAccount } from '../../lib/local/aws/service.ts';
import { type Cloud, startCloud } from '../../lib/local/cloud.ts';
import type { AlarmWatch } from '../../lib/local/cloudwatch/alarm-watch.ts';
import { traceOf } from '../../lib/local/lineage.ts';
import { homeRegion, mailRegions } from '../../lib/local/startup.ts';
import { clearFaults, type Fault, inject, newSender, type Sender } from '../faults/kit.ts';
import { templates } from '../infra/templates.ts';
import { api } from '../support/api.ts';
import { cloud as current, useCloud } from '../support/cloud.ts';
import { addressOf } from '../support/cloud-address.ts';
import { type ConnectedMailbox, connectMailbox } from '../support/emulated-mailbox.ts';

const names = namesOf({ prefix: 'Parley', account: localAccount, homeRegion });
const queueNames = Object.keys(queues) as QueueName[];
const shared = current();

let own: Cloud;
let watch: AlarmWatch;
let sender: Sender;

beforeAll(async () => {
  // The clock of this thread is that of the cloud.
  const clockSkew = getEnvironmentData(clockSkewKey) as SharedArrayBuffer;
  own = await startCloud({
    canaryMinutes: 10,
    clockSkew,
    limits: { ses: { managementCallsPerSecond: Number.POSITIVE_INFINITY } },
  });
  useCloud(addressOf(own));
  for (const region of mailRegions) own.ses.addVerifiedIdentity(region, `${region}.watch.test`);
  watch = own.watchAlarms();
});

beforeEach(async () => {
  sender = await newSender({ subscribes: false });
});

afterAll(async () => {
  useCloud(shared);
  await own.close();
});

/** A minute passes. */
async function minute(): Promise<void> {
  await own.clock.advance(60_000);
  await own.settle();
  watch.tick();
}

const fired = () => [...watch.states()].filter(([, state]) => state === 'ALARM').map(([name]) => name);

/** Lets minutes pass until something is so. */
async function until(isSo: () => boolean, minutesMax: number, each: () => unknown = () => {}): Promise<void> {
  for (let minutes = 0; !isSo() && minutes < minutesMax; minutes++) {
    await each();
    await minute();
  }
}

interface Trial {
  readonly alarms: readonly string[];
  fault(): unknown;
  /** Called each minute while the fault lasts. */
  readonly meanwhile?: () => unknown;
  mend(): unknown;
  /** Within which the alarms fire, and within which they clear. */
  readonly minutes: number;
}

const here = (...ids: readonly string[]) => ids.map((id) => `${homeRegion} ${id}`);
const everywhere = (id: string) => mailRegions.map((region) => `${region} ${id}`);
const logicalName = (prefix: string, queue: QueueName) => `${prefix}${queue.replaceAll('-', '')}`;

const sendToAnna = () => sender.send(['anna@people.example.test']);
const sendMail = { service: 'ses', action: 'SendEmail' } as const;
/** SES refuses the mail of a workspace with an error, for as long as the fault lasts. */
const refuse = (fault: Pick<Fault, 'code' | 'message' | 'status'>) =>
  inject({ kind: 'error', ...sendMail, times: 10_000, status: 400, ...fault });

function purge(queueName: string): void {
  const queue = own.sqs.queue(queueName);
  for (;;) {
    const taken = queue.receive(10);
    if (taken.length === 0) return;
    for (const { receiptHandle } of taken) queue.delete(receiptHandle);
  }
}

/** Puts a message into a queue; FIFO queues get what they need. */
function put(queue: QueueName, message: object): void {
  const { fifo } = queues[queue];
  const fields = { groupId: 'g', deduplicationId: newId('eml') };
  own.sqs.send(names.queue(queue), { body: JSON.stringify(message), ...(fifo && fields) });
}

/** SES's report of an email that does not exist. */
function sentEvent(): object {
  const tags = { workspace: [newId('wks')], email_id: [newId('eml')] };
  return { eventType: 'Send', mail: { messageId: 'm', destination: [], tags } };
}

/** A message of each queue that a worker takes and has nothing to do for. */
function idle(queue: QueueName): object {
  const workspaceId = newId('wks');
  const [emailId, domainId, mailboxId] = [newId('eml'), newId('dom'), newId('mbx')];
  const region = homeRegion;
  const event = {
    ...{ kind: 'publish-event', v: 1, workspaceId, eventId: newId('evt'), type: 'email.sent', at: now() },
    subject: { emailId },
  };
  const messages: Readonly<Record<QueueName, object>> = {
    outgoing: { kind: 'release-mail', v: 1, workspaceId, emailId, chunk: null, region, recipients: 1 },
    mail: { kind: 'send-mail', v: 1, workspaceId, emailId, chunk: null, slot: null },
    pacing: { kind: 'pace-mail', v: 1, workspaceId, wakeAt: null },
    events: event,
    deliveries: { kind: 'resume-endpoint', v: 1, workspaceId, endpointId: newId('whk') },
    live: { kind: 'push-event', v: 1, workspaceId, eventId: newId('evt') },
    tasks: { kind: 'check-domain', v: 1, workspaceId, domainId },
    identities: { kind: 'sync-identity', v: 1, workspaceId, domainId, region, name: 'gone.test', polls: 0 },
    delays: { message: event, dueAt: 0 },
    attachments: {
      ...{ kind: 'extract-text', v: 1, workspaceId, emailId, attachmentId: newId('att') },
      receivedEvent: null,
    },
    mailboxes: { kind: 'sync-mailbox', v: 1, workspaceId, mailboxId, wakeAt: null },
    'mailbox-mail': {
      ...{ kind: 'receive-mailbox-message', v: 1, workspaceId, mailboxId },
      ...{ messageId: 'm', failures: 0 },
    },
    'mailbox-submissions': { kind: 'submit-mailbox-email', v: 1, workspaceId, emailId, chunk: null },
    inbound: { kind: 'receive-blocked-email', v: 1, workspaceId, blockedId: newId('blk') },
    'provider-events': sentEvent(),
  };
  return messages[queue];
}

const receiveIn = (region: string) =>
  own.ses.receive({
    from: 'anna@people.example.test',
    recipients: [`hi@${region}.watch.test`],
    raw: Buffer.from(
      `From: anna@people.example.test\r\nTo: hi@${region}.watch.test\r\nSubject: Hi\r\n\r\nHi\r\n`,
    ),
  });

/** A mail of a region to SES's mailbox simulator. */
async function simulate(region: string, local: 'bounce' | 'complaint' | 'success'): Promise<void> {
  const ses = new SESv2Client({ region });
  const to = `${local}@simulator.amazonses.com`;
  const from = `hi@${region}.watch.test`;
  const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: Hi\r\n\r\nHi\r\n`;
  await ses.send(
    new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: { Raw: { Data: Buffer.from(raw) } },
      ConfigurationSetName: names.configurationSet,
    }),
  );
}

const rawMailObjects = (region: string) => `arn:aws:s3:::${names.rawMailBucket(region)}/*`;
const periodic = [names.workerFunction('sweep'), names.workerFunction('check-mail')];
const emailList = names.apiFunction('emails.list');
let mailbox: ConnectedMailbox;
const sync = () => api(sender.own).post(`/mailboxes/${mailbox.id}/sync`);
/** Ends a slow list of emails. */
let endSlowness = () => {};

const trials: Readonly<Record<string, Trial>> = {
  'messages of another release': {
    alarms: here(...queueNames.map((queue) => logicalName('DeadLetters', queue)), 'Errorsworkers'),
    fault: async () => {
      // Those of SES have no kind: they fail at the table.
      const ofTable = { service: 'dynamodb', code: 'ValidationException' } as const;
      await inject({ kind: 'error', worker: 'provider-event', times: 10_000, ...ofTable });
      put('provider-events', sentEvent());
      // Its lanes wait for slots, so that its messages are received a thousand times. No worker has one meanwhile.
      const { settings } = own.sqs.queue(names.queue('outgoing'));
      own.denials.deny('sqs:ReceiveMessage', names.queueArn('outgoing'));
      for (const queue of queueNames) put(queue, { kind: 'of-tomorrow', v: 1 });
      for (let receives = 0; receives <= (settings.redrive?.maxReceiveCount ?? 0); receives++) {
        own.sqs.queue(names.queue('outgoing')).receive(1, 0);
      }
      own.denials.allow('sqs:ReceiveMessage', names.queueArn('outgoing'));
    },
    mend: async () => {
      await clearFaults();
      // Reports of the canary's mail wait there, too, and become dead letters where they failed often enough.
      const { depth } = own.sqs.queue(names.queue('provider-events'));
      await until(() => Object.values(depth()).every((count) => count === 0), 100);
      for (const queue of queueNames) purge(names.deadLetterQueue(queue));
    },
    minutes: 400,
  },
  'workers that may not receive': {
    alarms: here(...queueNames.map((queue) => logicalName('Age', queue)), 'OldestMail'),
    fault: () => {
      for (const queue of queueNames) {
        own.denials.deny('sqs:ReceiveMessage', names.queueArn(queue));
        put(queue, idle(queue));
      }
    },
    mend: () => {
      for (const queue of queueNames) own.denials.allow('sqs:ReceiveMessage', names.queueArn(queue));
    },
    minutes: 45,
  },
  'topics that may not send to queues': {
    alarms: everywhere('Undelivered'),
    fault: async () => {
      own.denials.deny('sqs:SendMessage', names.queueArn('inbound'));
      for (const region of mailRegions) await receiveIn(region);
    },
    mend: () => {
      own.denials.allow('sqs:SendMessage', names.queueArn('inbound'));
      for (const region of mailRegions)
        purge(`arn:aws:sqs:${region}:${localAccount}:${names.undeliveredQueue}`);
    },
    minutes: 5,
  },
  'receipt rules that may not store': {
    alarms: [...everywhere('ReceiptPublishFailure')],
    fault: async () => {
      for (const region of mailRegions) {
        own.denials.deny('s3:PutObject', rawMailObjects(region));
        await receiveIn(region);
      }
    },
    mend: () => {
      for (const region of mailRegions) own.denials.allow('s3:PutObject', rawMailObjects(region));
    },
    minutes: 8,
  },
  'received mail that SES gives up': {
    alarms: everywhere('ReceiptPublishExpired'),
    // The mail of the fault before.
    fault: () => {},
    mend: () => {},
    minutes: 250,
  },
  'bounces and complaints': {
    alarms: [...everywhere('BounceRate'), ...everywhere('ComplaintRate')],
    fault: async () => {
      for (const region of mailRegions) {
        await simulate(region, 'bounce');
        await simulate(region, 'complaint');
      }
    },
    mend: async () => {
      // SES reports rates while it sends: without mail the alarms stay.
      await until(() => false, 70);
      expect(fired()).toEqual(expect.arrayContaining(everywhere('BounceRate').slice(1)));
      for (const region of mailRegions) await simulate(region, 'success');
    },
    minutes: 130,
  },
  'SES takes no mail': {
    alarms: here('SubmissionsBlocked'),
    fault: async () => {
      await refuse({ code: 'AccountSuspendedException', message: 'suspended' });
      await sendToAnna();
    },
    mend: clearFaults,
    minutes: 30,
  },
  'SES throttles': {
    alarms: here('SubmissionsThrottled'),
    fault: async () => {
      const message = 'Maximum sending rate exceeded.';
      await refuse({ code: 'TooManyRequestsException', message, status: 429 });
      await sendToAnna();
    },
    mend: clearFaults,
    minutes: 90,
  },
  'the sandbox': {
    alarms: here('SubmissionsSandbox'),
    fault: async () => {
      const failed =
        'The following identities failed the check in region US-EAST-1: anna@people.example.test';
      await refuse({ code: 'MessageRejected', message: `Email address is not verified. ${failed}` });
      await sendToAnna();
    },
    mend: clearFaults,
    minutes: 20,
  },
  'a list of traps': {
    alarms: here('WorkspacesSuspended'),
    fault: async () => {
      const other = await newSender();
      await other.send(Array.from({ length: 30 }, (_, at) => `trap${at}+bounce@people.example.test`));
    },
    mend: () => {},
    minutes: 20,
  },
  'a provider that does not answer': {
    alarms: here('MailboxSyncsFailed', 'MailboxesNotSynchronized'),
    fault: async () => {
      mailbox = await connectMailbox(sender.own, 'google');
      const unavailable = { kind: 'error', status: 503, times: 100_000 } as const;
      await inject({ ...unavailable, service: 'gmail', principal: mailbox.address });
    },
    meanwhile: sync,
    mend: async () => {
      await clearFaults();
      await sync();
      await api(sender.own).delete(`/mailboxes/${mailbox.id}`);
    },
    minutes: 100,
  },
  'functions without concurrency': {
    alarms: here('Stoppedsweep', 'Stoppedcheckmail', 'Throttles'),
    fault: () => {
      for (const name of periodic) own.throttle(name, true);
    },
    mend: () => {
      for (const name of periodic) own.throttle(name, false);
    },
    minutes: 30,
  },
  'a request that is throttled': {
    alarms: here('ApiErrors'),
    fault: async () => {
      own.throttle(emailList, true);
      expect((await api(sender.own).get('/emails')).status).toBe(503);
    },
    mend: () => own.throttle(emailList, false),
    minutes: 10,
  },
  'a request that fails': {
    alarms: here('Errorsapi'),
    fault: async () => {
      await inject({ kind: 'error', service: 'dynamodb', principal: emailList, code: 'ValidationException' });
      expect((await api(sender.own).get('/emails')).status).toBe(500);
    },
    mend: clearFaults,
    minutes: 10,
  },
  'slow requests': {
    alarms: here('ApiLatency'),
    fault: () => {
      const skew = new Float64Array(own.clock.skew);
      endSlowness = own.gateway.recorder.subscribe(({ principal, service }) => {
        // The clock moves while a function waits for the table.
        if (service === 'dynamodb' && principal.startsWith(emailList)) skew[0] = (skew[0] ?? 0) + 6000;
      });
    },
    meanwhile: () => api(sender.own).get('/emails'),
    mend: () => endSlowness(),
    minutes: 30,
  },
  'a hot table': {
    alarms: here('TableThrottling', 'IndexThrottlingGSI1', 'IndexThrottlingGSI2'),
    fault: async () => {
      for (const index of [undefined, 'GSI1', 'GSI2']) {
        own.faults.add({
          ...{ service: 'dynamodb', action: 'TransactWriteItems', kind: 'throttle' },
          ...(index && { index }),
        });
      }
      await sendToAnna();
    },
    mend: clearFaults,
    minutes: 10,
  },
  'a relay that fails': {
    alarms: here('DeadLettersoutbox'),
    fault: async () => {
      await inject({ kind: 'error', worker: 'relay', times: 10_000, code: 'ValidationException' });
      await sendToAnna();
    },
    mend: async () => {
      await clearFaults();
      purge(names.deadLetterQueue('outbox'));
    },
    minutes: 10,
  },
  'schedules that may not send': {
    alarms: here('DeadLettersschedules', 'SchedulesDropped'),
    fault: async () => {
      own.denials.deny('sqs:SendMessage', names.queueArn('delays'));
      await sender.send(['anna@people.example.test'], { scheduled_at: timestamp(now() + 30 * 60_000) });
    },
    mend: () => {
      own.denials.allow('sqs:SendMessage', names.queueArn('delays'));
      purge(names.deadLetterQueue('schedules'));
    },
    minutes: 60,
  },
  'mail of the canary that does not come back': {
    alarms: here('CanaryMissed'),
    fault: () => own.denials.deny('s3:PutObject', rawMailObjects(homeRegion)),
    mend: () => own.denials.allow('s3:PutObject', rawMailObjects(homeRegion)),
    minutes: 60,
  },
  'webhooks of the canary that nobody takes': {
    alarms: here('CanaryMissed'),
    fault: () => own.throttle(names.apiFunction('canary-webhook'), true),
    mend: () => own.throttle(names.apiFunction('canary-webhook'), false),
    minutes: 120,
  },
  'another receipt rule set': {
    alarms: here('ReceiptRuleSet'),
    fault: () => new SESClient({ region: homeRegion }).send(new SetActiveReceiptRuleSetCommand({})),
    mend: () =>
      new SESClient({ region: homeRegion }).send(
        new SetActiveReceiptRuleSetCommand({ RuleSetName: names.receiptRuleSet }),
      ),
    minutes: 30,
  },
  'another receipt rule set in a further mail region': {
    alarms: here('ReceiptRuleSet'),
    fault: () => new SESClient({ region: mailRegions[1] }).send(new SetActiveReceiptRuleSetCommand({})),
    mend: () =>
      new SESClient({ region: mailRegions[1] }).send(
        new SetActiveReceiptRuleSetCommand({ RuleSetName: names.receiptRuleSet }),
      ),
    minutes: 30,
  },
  'a chain without an end': {
    alarms: here('RecursiveLoops'),
    fault: () => {
      const traceHeader = lastTraceOf(names.workerFunction('publish-event'));
      own.sqs.send(names.queue('events'), { body: JSON.stringify(idle('events')), traceHeader });
    },
    mend: async () => {
      const { depth } = own.sqs.queue(names.queue('events'));
      await until(() => Object.values(depth()).every((count) => count === 0), 100);
      purge(names.deadLetterQueue('events'));
    },
    minutes: 20,
  },
};

/** The trace header of the last invocation of a function that Lambda allows in one chain. */
function lastTraceOf(functionName: string): string {
  const arn = names.arn('lambda', `function:${functionName}`);
  let trace: string | null = null;
  for (let next: string | null = ''; next !== null; next = traceOf(arn, trace ? [trace] : [])) trace = next;
  return trace ?? '';
}

/** One that is tried in another way. */
const outboxAge = here('OutboxAge');

describe('the alarms', () => {
  it('are silent while mail is sent, received and delivered', async () => {
    await sendToAnna();
    await own.ses.receive({
      from: 'anna@people.example.test',
      recipients: [sender.from],
      raw: Buffer.from(`From: anna@people.example.test\r\nTo: ${sender.from}\r\nSubject: Hi\r\n\r\nHi\r\n`),
    });
    // The first invocations of periodic workers, and the first email of the canary that came back.
    await until(() => false, 32);
    expect(fired()).toEqual([]);
  });

  it.each(Object.entries(trials))(
    'fire and clear: %s',
    async (_, { alarms, fault, meanwhile, mend, minutes }) => {
      const states = () => alarms.map((name) => [name, watch.states().get(name)]);
      const all = (state: string) => alarms.map((name) => [name, state]);
      const are = (state: string) => () => states().every(([, one]) => one === state);
      const seen = new Set<string>();
      await until(() => !fired().some((name) => alarms.includes(name)), 20);
      expect(fired().filter((name) => alarms.includes(name))).toEqual([]);
      await fault();
      // Alarms on the same fault may fire one after the other.
      await until(
        () => alarms.every((name) => seen.has(name)),
        minutes,
        async () => {
          await meanwhile?.();
          for (const name of fired()) seen.add(name);
        },
      );
      expect(alarms.filter((name) => !seen.has(name))).toEqual([]);
      await mend();
      await until(are('OK'), minutes);
      expect(states()).toEqual(all('OK'));
    },
  );

  it('fire and clear: a relay without concurrency', async () => {
    const relay = names.workerFunction('relay');
    const skew = new Float64Array(own.clock.skew);
    own.throttle(relay, true);
    const attempted = () =>
      new Promise<void>((resolve) => own.onThrottled((name) => name === relay && resolve()));
    const first = attempted();
    await sendToAnna();
    await first;
    // The mapping goes on by itself, so that nothing is quiescent.
    for (let minutes = 0; minutes < 8; minutes++) {
      skew[0] = (skew[0] ?? 0) + 60_000;
      await attempted();
      watch.tick();
    }
    expect(outboxAge.map((name) => watch.states().get(name))).toEqual(['ALARM']);
    own.throttle(relay, false);
    await own.settle();
    await until(() => outboxAge.every((name) => watch.states().get(name) === 'OK'), 10);
    expect(outboxAge.map((name) => watch.states().get(name))).toEqual(['OK']);
  });

  it('have all been tried', () => {
    const tried = [...new Set([...Object.values(trials).flatMap(({ alarms }) => alarms), ...outboxAge])];
    expect([...watch.states().keys()].toSorted()).toEqual(tried.toSorted());
    expect(tried).toHaveLength(templates().of('AWS::CloudWatch::Alarm').length);
  });
});
